//! The outputs that the README and the book show are what the program prints.
//!
//! A block `text` is the output of the block `sh` right before it, or of the command in a comment between them: `<!--
//! printed by: cargo run -p giveway --example NAME -->`. Blocks that no program prints have another language. Times and
//! memory are not compared. `GIVEWAY_UPDATE=1 cargo test -p giveway-cli --test tests samples` writes the outputs anew.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::{env, fs};

use crate::command_line::folder::Folder;

/// The languages of blocks that no command prints: programs, commands, and files.
const NOT_PRINTED: [&str; 9] = ["rust", "sh", "python", "toml", "json", "map", "mesh", "csv", "plan"];
/// Samples that another test makes.
const COMPARED_ELSEWHERE: [&str; 1] = ["case"];

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

/// The README and all chapters of the book.
fn pages() -> Vec<PathBuf> {
    let mut pages: Vec<PathBuf> =
        fs::read_dir(root().join("docs/src")).unwrap().map(|entry| entry.unwrap().path()).collect();
    pages.retain(|page| page.extension().is_some_and(|extension| extension == "md"));
    pages.push(root().join("README.md"));
    pages.sort();
    pages
}

/// A block `text` of a page.
#[derive(PartialEq, Eq, Debug)]
struct Sample {
    /// The commands that print the sample, a line each.
    commands: Vec<String>,
    /// Where its text stands in the lines of the page.
    first: usize,
    end: usize,
}

/// The samples of a page. Fails where a block has no known language, or a sample no command.
fn samples(page: &str) -> Result<Vec<Sample>, String> {
    let mut samples = Vec::new();
    let mut commands = Vec::new();
    let lines: Vec<&str> = page.lines().collect();
    let mut at = 0;
    while at < lines.len() {
        let line = lines[at].trim();
        at += 1;
        if let Some(command) = line.strip_prefix("<!-- printed by: ") {
            commands = vec![command.trim_end_matches(" -->").to_owned()];
        }
        let Some(language) = line.strip_prefix("```") else {
            // Prose between a command and a text parts them, unless a comment joins them.
            if !line.is_empty() && !line.starts_with("<!-- printed by: ") {
                commands.clear();
            }
            continue;
        };
        let first = at;
        let length = lines[first..].iter().position(|line| line.trim() == "```").ok_or("a block has no end")?;
        let end = first + length;
        at = end + 1;
        match language.split(',').next().unwrap_or_default() {
            "text" if commands.is_empty() => return Err(format!("{first}: no command prints this block")),
            "text" => samples.push(Sample { commands: std::mem::take(&mut commands), first, end }),
            "sh" => commands = commands_of(&lines[first..end]),
            other if NOT_PRINTED.contains(&other) || COMPARED_ELSEWHERE.contains(&other) => commands.clear(),
            other => return Err(format!("{first}: a block of the language {other:?}")),
        }
    }
    Ok(samples)
}

/// The commands of a block, each on one line and without its comment.
fn commands_of(block: &[&str]) -> Vec<String> {
    let joined = block.join("\n").replace("\\\n", " ");
    let without_comment = |line: &str| {
        let command = line.split(" #").next().unwrap_or_default();
        command.split_whitespace().collect::<Vec<&str>>().join(" ")
    };
    joined.lines().map(without_comment).filter(|command| !command.is_empty()).collect()
}

/// The output of the commands. Only this program and the examples are known.
fn printed(folder: &Folder, commands: &[String], examples: &Path) -> String {
    let run = |command: &String| {
        if let Some(name) = example(command) {
            let program = examples.join(format!("{name}{}", env::consts::EXE_SUFFIX));
            let output = Command::new(program).env("TMPDIR", folder.path("")).output().unwrap();
            assert!(output.status.success(), "{command}: {}", String::from_utf8_lossy(&output.stderr));
            return String::from_utf8(output.stdout).unwrap();
        }
        let after = |prefix| command.strip_prefix(prefix);
        let arguments =
            after("giveway ").or_else(|| after("cargo run --release -- ")).or_else(|| after("cargo run -- "));
        let arguments = arguments.unwrap_or_else(|| panic!("{command}: neither giveway nor an example"));
        for file in arguments.split_whitespace().filter(|argument| argument.starts_with("testdata/")) {
            fs::create_dir_all(folder.path(file).parent().unwrap()).unwrap();
            fs::copy(root().join(file), folder.path(file)).unwrap();
        }
        let run = folder.run(arguments);
        assert_eq!(run.code, Some(0), "{command}: {run:#?}");
        run.stdout
    };
    commands.iter().map(run).collect()
}

/// The example that the command runs.
fn example(command: &str) -> Option<&str> {
    command.strip_prefix("cargo run -p giveway --example ")
}

/// The folder of the examples; the examples of `commands` are built as `cargo test` builds them.
fn built_examples<'c>(commands: impl Iterator<Item = &'c String>) -> PathBuf {
    let profile_folder = Path::new(env!("CARGO_BIN_EXE_giveway")).parent().unwrap();
    let profile = match profile_folder.file_name().unwrap().to_str().unwrap() {
        "debug" => "test",
        other => other,
    };
    let mut build = Command::new(env!("CARGO"));
    build.args(["build", "--quiet", "--locked", "--profile", profile]).current_dir(root());
    build.arg("--target-dir").arg(profile_folder.parent().unwrap());
    for name in commands.filter_map(|command| example(command)) {
        build.args(["--example", name]);
    }
    assert!(build.status().unwrap().success(), "the examples are built");
    profile_folder.join("examples")
}

/// A line as it is compared: numbers before a unit of time or memory are left out, and in such lines the widths of
/// columns, too.
fn comparable(line: &str) -> String {
    let words: Vec<&str> = line.split_whitespace().collect();
    let unit = |word: &str| matches!(word.trim_end_matches([',', ';', '.']), "ms" | "µs" | "ns" | "s" | "kB" | "MB");
    let is_measured = |at: usize| words[at].parse::<f64>().is_ok() && words.get(at + 1).is_some_and(|word| unit(word));
    if (0..words.len()).any(is_measured) {
        let shown = (0..words.len()).map(|at| if is_measured(at) { "[..]" } else { words[at] });
        return shown.collect::<Vec<&str>>().join(" ");
    }
    line.trim_end().to_owned()
}

#[test]
fn samples_are_what_their_commands_print() {
    let update = env::var_os("GIVEWAY_UPDATE").is_some_and(|value| value == "1");
    let read = |page: PathBuf| {
        let text = fs::read_to_string(&page).unwrap();
        let samples = samples(&text).unwrap_or_else(|error| panic!("{}:{error}", page.display()));
        (page, text, samples)
    };
    let pages: Vec<_> = pages().into_iter().map(read).collect();
    let all_samples = pages.iter().flat_map(|(_, _, samples)| samples);
    let examples = built_examples(all_samples.flat_map(|sample| &sample.commands));
    let folder = Folder::new("samples");
    let mut of_commands = BTreeMap::new();
    let mut stale = Vec::new();
    for (page, text, samples) in pages {
        let mut lines: Vec<String> = text.lines().map(str::to_owned).collect();
        // From the last one on, so that the places of those before stay.
        for sample in samples.into_iter().rev() {
            let printed =
                of_commands.entry(sample.commands).or_insert_with_key(|commands| printed(&folder, commands, &examples));
            let renewed: Vec<String> = printed.trim_end().lines().map(|line| line.trim_end().to_owned()).collect();
            let shown = &lines[sample.first..sample.end];
            if shown.iter().map(|line| comparable(line)).eq(renewed.iter().map(|line| comparable(line))) {
                continue;
            }
            let name = format!("{}:{}", page.display(), sample.first);
            stale.push(format!("{name} shows\n{}\nand the command prints\n{}\n", shown.join("\n"), renewed.join("\n")));
            // Lines that differ in times alone stay as they are.
            let kept =
                |line: String| shown.iter().find(|old| comparable(old) == comparable(&line)).cloned().unwrap_or(line);
            let renewed: Vec<String> = renewed.into_iter().map(kept).collect();
            lines.splice(sample.first..sample.end, renewed);
        }
        let renewed = lines.join("\n") + "\n";
        if update && renewed != text {
            fs::write(&page, renewed).unwrap();
        }
    }
    assert!(of_commands.len() >= 4, "the README's first command, and three examples: {of_commands:?}");
    assert!(update || stale.is_empty(), "{}\nGIVEWAY_UPDATE=1 writes them anew", stale.join("\n"));
}

#[test]
fn blocks_without_a_command_or_a_language_are_found() {
    let commands = |page: &str| samples(page).map(|samples| samples.into_iter().map(|one| one.commands).collect());
    let of = |commands: &[&str]| Ok(vec![commands.iter().map(|command| (*command).to_owned()).collect::<Vec<_>>()]);
    for (page, expected) in [
        (
            "```sh\ngiveway a \\\n    --b   # so\ngiveway c\n```\n\n```text\nx\n```\n",
            of(&["giveway a --b", "giveway c"]),
        ),
        ("It prints:\n\n<!-- printed by: giveway d -->\n\n```text\n```\n", of(&["giveway d"])),
        ("```rust,no_run\n```\n```map\n```\n```case\n```\n", Ok(Vec::new())),
        (
            "```sh\ngiveway e\n```\nSomething else:\n```text\nx\n```\n",
            Err("5: no command prints this block".to_owned()),
        ),
        ("```sh\ngiveway f\n```\n```json\n{}\n```\n```text\n```\n", Err("7: no command prints this block".to_owned())),
        ("\n```\nx\n```\n", Err("2: a block of the language \"\"".to_owned())),
        ("```text\n", Err("a block has no end".to_owned())),
    ] {
        assert_eq!(commands(page), expected, "{page}");
    }
}

#[test]
fn times_and_memory_are_not_compared() {
    let same = |a: &str, b: &str| comparable(a) == comparable(b);
    assert!(same("  planning    19.766  ms, without files", "  planning   119.1  ms, without files"));
    assert!(same("12 ticks in 3.5 s", "12 ticks in 14 s"));
    assert!(!same("12 ticks in 3.5 s", "13 ticks in 3.5 s"));
    assert!(!same("  makespan   49  ticks", "  makespan   52  ticks"));
    assert!(!same("  makespan   49  ticks", "  makespan  49  ticks"));
}
