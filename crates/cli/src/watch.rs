//! The watch over a strategy: a time limit, and a progress bar on terminals.

use std::io::{self, IsTerminal as _};
use std::time::{Duration, Instant};

use giveway::strategies::{Progress, Watch};
use indicatif::{HumanCount, ProgressBar, ProgressDrawTarget, ProgressStyle};

/// Stops a strategy when its time is up, and shows its progress.
pub(crate) struct Overseer {
    since: Instant,
    limit: Option<Duration>,
    bar: ProgressBar,
}

impl Overseer {
    /// Stops the strategy when `limit` has passed since `since`.
    pub(crate) fn new(since: Instant, limit: Option<Duration>, agents: u64) -> Self {
        Self { since, limit, bar: bar(agents, "agents") }
    }

    /// An overseer without a progress bar.
    pub(crate) fn without_bar(since: Instant, limit: Option<Duration>) -> Self {
        Self { since, limit, bar: ProgressBar::hidden() }
    }
}

/// A progress bar over a number of `things`. It draws nothing unless standard error is a terminal.
pub(crate) fn bar(count: u64, things: &str) -> ProgressBar {
    let target = if io::stderr().is_terminal() { ProgressDrawTarget::stderr() } else { ProgressDrawTarget::hidden() };
    let bar = ProgressBar::with_draw_target(Some(count), target);
    if let Ok(style) =
        ProgressStyle::with_template(&format!("{{bar:32}} {{pos}}/{{len}} {things}, {{msg}}, {{elapsed}}"))
    {
        bar.set_style(style);
    }
    bar
}

impl Watch for Overseer {
    fn go_on(&mut self, progress: &Progress) -> bool {
        if !self.bar.is_hidden() {
            let round = if let Progress::Planning { round, .. } = progress { *round } else { 1 };
            self.bar.set_message(format!("round {round}, {} states expanded", HumanCount(progress.expansions())));
            self.bar.set_position(progress.done().0);
        }
        self.limit.is_none_or(|limit| self.since.elapsed() < limit)
    }
}

impl Drop for Overseer {
    fn drop(&mut self) {
        self.bar.finish_and_clear();
    }
}
