//! Readers and writers of other crates with the traits of volt, and the reverse.

use super::slow::{Narrow, Pieces, pair, run};

mod by_futures_lite {
    //! Tests with the traits of `futures-lite`.

    use futures_lite::io::{AsyncBufReadExt, AsyncReadExt, AsyncWriteExt};
    use futures_lite::stream::StreamExt;

    #[test]
    fn reader_of_volt_works_with_their_traits() {
        super::run(async {
            let (near, far) = super::pair().await;
            let mut writer = volt::io::BufWriter::new(near);
            AsyncWriteExt::write_all(&mut writer, b"one\ntwo\n")
                .await
                .expect("sent");
            AsyncWriteExt::close(&mut writer).await.expect("closed");
            let lines = volt::io::BufReader::new(far).lines();
            let lines: Vec<String> = lines.map(|line| line.expect("text")).collect().await;
            assert_eq!(lines, ["one", "two"]);
            let mut rest = Vec::new();
            let mut taken = volt::io::AsyncReadExt::take(&b"abcdef"[..], 3);
            taken.read_to_end(&mut rest).await.expect("bytes");
            assert_eq!(rest, b"abc");
        });
    }
}

#[test]
fn readers_and_writers_of_futures_lite_work_with_ours() {
    use volt::io::{AsyncBufReadExt, AsyncReadExt, AsyncWriteExt};
    run(async {
        let mut cursor = futures_lite::io::Cursor::new(b"\x01\x02line\nrest".to_vec());
        assert_eq!(cursor.read_u16().await.ok(), Some(0x0102));
        let mut line = String::new();
        cursor.read_line(&mut line).await.expect("a line");
        let mut rest = Vec::new();
        cursor.read_to_end(&mut rest).await.expect("the rest");
        assert_eq!((&line[..], &rest[..]), ("line\n", &b"rest"[..]));
        let mut writer = futures_lite::io::BufWriter::new(Narrow::new(2));
        writer.write_all(b"abcde").await.expect("written");
        writer.flush().await.expect("flushed");
        assert_eq!(writer.get_ref().written, b"abcde");
    });
}

#[test]
fn both_readers_agree() {
    use futures_lite::io::AsyncReadExt as _;
    run(async {
        let mut theirs = Vec::new();
        let mut pieces = Pieces::new(["a", "bcd", "ef"]);
        pieces.read_to_end(&mut theirs).await.expect("bytes");
        let mut ours = Vec::new();
        let mut pieces = Pieces::new(["a", "bcd", "ef"]);
        volt::io::AsyncReadExt::read_to_end(&mut pieces, &mut ours)
            .await
            .expect("bytes");
        assert_eq!(ours, theirs);
    });
}
