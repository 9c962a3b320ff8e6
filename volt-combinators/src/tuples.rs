//! Tuples, by their length.

/// Calls a macro with each length of tuples: a type, another type and the index of each field.
macro_rules! tuples {
    ($each:ident) => {
        $each!(A PA 0);
        $each!(A PA 0 B PB 1);
        $each!(A PA 0 B PB 1 C PC 2);
        $each!(A PA 0 B PB 1 C PC 2 D PD 3);
        $each!(A PA 0 B PB 1 C PC 2 D PD 3 F PF 4);
        $each!(A PA 0 B PB 1 C PC 2 D PD 3 F PF 4 G PG 5);
        $each!(A PA 0 B PB 1 C PC 2 D PD 3 F PF 4 G PG 5 H PH 6);
        $each!(A PA 0 B PB 1 C PC 2 D PD 3 F PF 4 G PG 5 H PH 6 I PI 7);
        $each!(A PA 0 B PB 1 C PC 2 D PD 3 F PF 4 G PG 5 H PH 6 I PI 7 J PJ 8);
        $each!(A PA 0 B PB 1 C PC 2 D PD 3 F PF 4 G PG 5 H PH 6 I PI 7 J PJ 8 L PL 9);
        $each!(A PA 0 B PB 1 C PC 2 D PD 3 F PF 4 G PG 5 H PH 6 I PI 7 J PJ 8 L PL 9 M PM 10);
        $each!(A PA 0 B PB 1 C PC 2 D PD 3 F PF 4 G PG 5 H PH 6 I PI 7 J PJ 8 L PL 9 M PM 10
            N PN 11);
        $each!(A PA 0 B PB 1 C PC 2 D PD 3 F PF 4 G PG 5 H PH 6 I PI 7 J PJ 8 L PL 9 M PM 10
            N PN 11 O PO 12);
        $each!(A PA 0 B PB 1 C PC 2 D PD 3 F PF 4 G PG 5 H PH 6 I PI 7 J PJ 8 L PL 9 M PM 10
            N PN 11 O PO 12 Q PQ 13);
        $each!(A PA 0 B PB 1 C PC 2 D PD 3 F PF 4 G PG 5 H PH 6 I PI 7 J PJ 8 L PL 9 M PM 10
            N PN 11 O PO 12 Q PQ 13 R PR 14);
        $each!(A PA 0 B PB 1 C PC 2 D PD 3 F PF 4 G PG 5 H PH 6 I PI 7 J PJ 8 L PL 9 M PM 10
            N PN 11 O PO 12 Q PQ 13 R PR 14 S PS 15);
    };
}
pub(crate) use tuples;
