//! `cargo volt top`: the groups of tasks of a running program, and the numbers of tasks by the
//! place of their spawn, updated on the screen.

use std::io::{self, IsTerminal, Write};
use std::time::{Duration, Instant};

use clap::Args;
use crossterm::cursor::{Hide, MoveTo, Show};
use crossterm::event::{self, Event, KeyCode, KeyEventKind, KeyModifiers};
use crossterm::style::{Attribute, Print, SetAttribute};
use crossterm::terminal::{self, Clear, ClearType, EnterAlternateScreen, LeaveAlternateScreen};
use crossterm::{execute, queue};

use super::dump::encoded;
use super::dump_data::DumpData;
use super::screen::{Screen, View};
use super::target::{ServerArgs, Target, target};
use super::text::{counts, findings, head, lacks_findings, notes, tables};
use crate::build::cargo_args::seconds;
use crate::context::{Context, Outcome};
use crate::terminal::print;

/// The arguments of `top`.
#[derive(Clone, Debug, Args)]
pub(crate) struct TopArgs {
    /// Address (`:6680`), path of a Unix socket, or id of a process
    #[arg(value_name = "TARGET", value_parser = target)]
    target: Target,
    /// Print the groups once, for scripts
    #[arg(long)]
    once: bool,
    /// Poll each idle task once, to find where it waits: also in async blocks, boxed futures and
    /// futures of other crates
    #[arg(long, requires = "once")]
    by_poll: bool,
    /// Time between two requests, in seconds
    #[arg(long, value_name = "SECONDS", default_value = "2", value_parser = seconds)]
    interval: Duration,
    #[command(flatten)]
    server: ServerArgs,
}

/// Shows the groups until a key ends it, or once.
pub(crate) fn top(arguments: &TopArgs) -> Outcome<()> {
    let target = arguments.target.clone().resolved(&arguments.server)?;
    if arguments.by_poll && matches!(target, Target::File(_)) {
        return Err("--by-poll needs a running program, not a file".to_owned());
    }
    let path = if arguments.by_poll {
        "/by-poll.json"
    } else {
        "/groups.json"
    };
    let value = target.value(path, &arguments.server)?;
    let mut data = DumpData::read(&value);
    if arguments.once {
        let table = tables(&data);
        if lacks_findings(&data) {
            // This answer has the names of the tasks, and its groups are those of its tasks.
            let value = target.value("/dump.json?shallow", &arguments.server)?;
            let DumpData { groups, tasks, .. } = DumpData::read(&value);
            (data.groups, data.tasks) = (groups, tasks);
        }
        let top = head(&data) + &findings(&data) + &notes(&data);
        return print(&format!("{top}\n{table}"));
    }
    if !io::stdout().is_terminal() {
        return Err("the output is not a terminal; add --once".to_owned());
    }
    let screen = Screen {
        view: View::Groups,
        selected: 0,
        data: Ok(data),
        before: None,
    };
    let guard = TerminalGuard::enter().context(|| "preparing the terminal".to_owned())?;
    let shown = show(arguments, &target, screen);
    drop(guard);
    shown.context(|| "drawing the screen".to_owned())
}

/// Restores the terminal when it is dropped.
struct TerminalGuard;

impl TerminalGuard {
    fn enter() -> io::Result<Self> {
        terminal::enable_raw_mode()?;
        let guard = Self;
        execute!(io::stdout(), EnterAlternateScreen, Hide)?;
        Ok(guard)
    }
}

impl Drop for TerminalGuard {
    fn drop(&mut self) {
        // There is no better terminal to restore.
        let _ = execute!(io::stdout(), Show, LeaveAlternateScreen);
        let _ = terminal::disable_raw_mode();
    }
}

/// The effect of a key.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Step {
    Quit,
    Redraw,
    Request,
}

fn show(arguments: &TopArgs, target: &Target, mut screen: Screen) -> io::Result<()> {
    let mut requested = Instant::now();
    loop {
        draw(&screen)?;
        let rest = arguments.interval.saturating_sub(requested.elapsed());
        let step = if event::poll(rest)? {
            on_event(&mut screen, &event::read()?)
        } else {
            Step::Request
        };
        match step {
            Step::Quit => return Ok(()),
            Step::Redraw => {}
            Step::Request => {
                request(arguments, target, &mut screen);
                requested = Instant::now();
            }
        }
    }
}

fn on_event(screen: &mut Screen, event: &Event) -> Step {
    let Event::Key(key) = event else {
        return Step::Redraw;
    };
    if key.kind != KeyEventKind::Press {
        return Step::Redraw;
    }
    let is_interrupt = key.modifiers.contains(KeyModifiers::CONTROL);
    match key.code {
        KeyCode::Char('q') => Step::Quit,
        KeyCode::Char('c') if is_interrupt => Step::Quit,
        KeyCode::Char(' ') => Step::Request,
        KeyCode::Char('s') => toggle_spawns(screen),
        KeyCode::Up | KeyCode::Char('k') => moved(screen, -1),
        KeyCode::Down | KeyCode::Char('j') => moved(screen, 1),
        KeyCode::PageUp => moved(screen, -20),
        KeyCode::PageDown => moved(screen, 20),
        KeyCode::Enter => open_row(screen),
        KeyCode::Esc | KeyCode::Backspace => close_view(screen),
        _ => Step::Redraw,
    }
}

fn moved(screen: &mut Screen, rows: isize) -> Step {
    screen.select(rows);
    Step::Redraw
}

/// Shows the places of the spawns in place of the groups, or the groups again.
fn toggle_spawns(screen: &mut Screen) -> Step {
    screen.view = match &screen.view {
        View::Groups => View::Spawns,
        View::Spawns => View::Groups,
        View::Tasks(_) | View::Task { .. } => return Step::Redraw,
    };
    screen.selected = 0;
    Step::Redraw
}

/// Opens the selected group or task.
fn open_row(screen: &mut Screen) -> Step {
    let Ok(data) = &screen.data else {
        return Step::Redraw;
    };
    let opened = match &screen.view {
        View::Groups => {
            let group = data.groups.get(screen.selected);
            group.map(|group| View::Tasks(group.key.clone()))
        }
        View::Tasks(group) => {
            let task = data.tasks.get(screen.selected);
            task.map(|task| View::Task {
                group: group.clone(),
                id: task.id.clone(),
            })
        }
        View::Spawns | View::Task { .. } => None,
    };
    let Some(opened) = opened else {
        return Step::Redraw;
    };
    screen.view = opened;
    screen.selected = 0;
    Step::Request
}

/// Returns from a task to its group, and from a group to all groups.
fn close_view(screen: &mut Screen) -> Step {
    screen.view = match &screen.view {
        View::Groups => return Step::Redraw,
        View::Spawns | View::Tasks(_) => View::Groups,
        View::Task { group, .. } => View::Tasks(group.clone()),
    };
    (screen.selected, screen.before) = (0, None);
    Step::Request
}

fn request(arguments: &TopArgs, target: &Target, screen: &mut Screen) {
    let path = match &screen.view {
        View::Groups | View::Spawns => "/groups.json".to_owned(),
        View::Tasks(key) => format!("/dump.json?group={}", encoded(key)),
        View::Task { id, .. } => format!("/dump.json?task={}", encoded(id)),
    };
    if let (View::Groups | View::Spawns, Ok(data)) = (&screen.view, &screen.data)
        && data.tasks.is_empty()
    {
        screen.before = Some(counts(data));
    }
    let value = target.value(&path, &arguments.server);
    screen.data = value.map(|value| DumpData::read(&value));
    screen.select(0);
}

fn draw(screen: &Screen) -> io::Result<()> {
    let (width, height) = terminal::size()?;
    let mut output = io::stdout().lock();
    let lines = screen.lines(usize::from(width), usize::from(height));
    for (row, line) in (0..).zip(lines) {
        queue!(output, MoveTo(0, row), Clear(ClearType::CurrentLine))?;
        if line.is_selected {
            let plain = anstream::adapter::strip_str(&line.text).to_string();
            queue!(output, SetAttribute(Attribute::Reverse), Print(plain))?;
            queue!(output, SetAttribute(Attribute::Reset))?;
        } else if uses_styles() {
            queue!(output, Print(line.text))?;
        } else {
            let plain = anstream::adapter::strip_str(&line.text).to_string();
            queue!(output, Print(plain))?;
        }
    }
    output.flush()
}

/// Returns `true` if the output has styles, which `--color` and `NO_COLOR` decide.
fn uses_styles() -> bool {
    let choice = anstream::AutoStream::choice(&io::stdout());
    choice != anstream::ColorChoice::Never
}

#[cfg(test)]
mod tests {
    use crossterm::event::{Event, KeyCode, KeyEvent, KeyModifiers};

    use super::{DumpData, Screen, Step, View, on_event};
    use crate::inspection::dump_data::{GroupData, TaskData};

    fn press(screen: &mut Screen, code: KeyCode) -> Step {
        on_event(screen, &Event::Key(KeyEvent::new(code, KeyModifiers::NONE)))
    }

    #[test]
    fn keys_open_groups_and_tasks() {
        let group = |key: &str| GroupData {
            key: key.to_owned(),
            ..GroupData::default()
        };
        let mut screen = Screen {
            view: View::Groups,
            selected: 0,
            data: Ok(DumpData {
                groups: vec![group("a"), group("b")],
                ..DumpData::default()
            }),
            before: None,
        };
        assert_eq!(press(&mut screen, KeyCode::Down), Step::Redraw);
        assert_eq!(press(&mut screen, KeyCode::Enter), Step::Request);
        assert_eq!(screen.view, View::Tasks("b".to_owned()));
        let task = TaskData {
            id: "7.1".to_owned(),
            ..TaskData::default()
        };
        screen.data = Ok(DumpData {
            tasks: vec![task],
            ..DumpData::default()
        });
        assert_eq!(press(&mut screen, KeyCode::Enter), Step::Request);
        let (group, id) = ("b".to_owned(), "7.1".to_owned());
        assert_eq!(screen.view, View::Task { group, id });
        assert_eq!(press(&mut screen, KeyCode::Enter), Step::Redraw);
        assert_eq!(press(&mut screen, KeyCode::Esc), Step::Request);
        assert_eq!(screen.view, View::Tasks("b".to_owned()));
        assert_eq!(press(&mut screen, KeyCode::Esc), Step::Request);
        assert_eq!(screen.view, View::Groups);
        assert_eq!(press(&mut screen, KeyCode::Char('s')), Step::Redraw);
        assert_eq!(screen.view, View::Spawns);
        assert_eq!(press(&mut screen, KeyCode::Enter), Step::Redraw);
        assert_eq!(press(&mut screen, KeyCode::Char('s')), Step::Redraw);
        assert_eq!(screen.view, View::Groups);
        assert_eq!(press(&mut screen, KeyCode::Char('q')), Step::Quit);
    }
}
