//! The machine that the measurement runs on.

use std::process::Command;

/// The processor, the cores that the program may use, the system and the compiler.
pub(crate) fn description() -> String {
    let cores = std::thread::available_parallelism().map_or(1, usize::from);
    let compiler = Command::new("rustc").arg("--version").output().ok();
    let compiler = compiler.and_then(|output| String::from_utf8(output.stdout).ok()).unwrap_or_default();
    let compiler: Vec<&str> = compiler.split_whitespace().take(2).collect();
    let system = format!("{} {}", std::env::consts::OS, std::env::consts::ARCH);
    let parts =
        [processor(), format!("{cores} core{} to use", if cores == 1 { "" } else { "s" }), system, compiler.join(" ")];
    parts.map(|part| part.replace(',', " ")).join("; ")
}

/// The processor as Linux describes it.
fn processor() -> String {
    let text = std::fs::read_to_string("/proc/cpuinfo").unwrap_or_default();
    let value = |name: &str| {
        let mut lines = text.lines().filter_map(|line| line.split_once(':'));
        lines.find(|(key, _)| key.trim() == name).map(|(_, value)| value.trim())
    };
    match (value("model name"), value("cpu family"), value("model")) {
        (Some(name), Some(family), Some(model)) => format!("{name} (family {family} model {model})"),
        _ => "unknown processor".to_owned(),
    }
}

/// The number of processes that wanted to run in the last minute, as Linux counts them.
pub(crate) fn load() -> String {
    let text = std::fs::read_to_string("/proc/loadavg").unwrap_or_default();
    text.split_whitespace().next().unwrap_or("unknown").to_owned()
}
