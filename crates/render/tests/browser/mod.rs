//! A headless browser, and what a page in it reported.

#![allow(clippy::print_stderr)]

use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::atomic::{AtomicU32, Ordering};
use std::time::Instant;
use std::{env, fs, process};

use giveway_render::Player;

/// The look of a page after its scripts had run.
pub(crate) struct Page {
    dom: String,
}

/// Opens `player` at `address`, a query or nothing, in a fresh browser and runs `script` in it, which may call
/// `report(name, text or numbers)`.
///
/// Asserts that nothing went wrong on the way: no error, no word on the console.
pub(crate) fn open(player: &Player<'_>, address: &str, script: &str) -> Page {
    let browser = browser().expect("no chromium was found; set CHROMIUM, or install one");
    let folder = Folder::new();
    let page = folder.0.join("player.html");
    let html = player.to_string();
    let (head, tail) = html.rsplit_once("</body>").unwrap();
    let report = "function report(name, value) {
        const line = document.createElement('pre');
        line.className = 'report';
        line.textContent = `${name}=${value}`;
        document.body.append(line);
    }";
    fs::write(&page, format!("{head}<script>{{ {report} {script} }}</script></body>{tail}")).unwrap();

    let output = Command::new(browser)
        .args(["--headless", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run"])
        .args(["--disable-background-networking", "--disable-component-update", "--disable-sync"])
        .args(["--enable-logging=stderr", "--window-size=1000,800", "--virtual-time-budget=1000"])
        .arg(format!("--user-data-dir={}", folder.0.join("profile").display()))
        .arg("--dump-dom")
        .arg(format!("file://{}{address}", page.display()))
        .output()
        .unwrap();
    let said = String::from_utf8_lossy(&output.stderr);
    // Reading pixels back is what tests do, and not what the page does.
    let spoken = |line: &&str| line.contains("CONSOLE") && !line.contains("willReadFrequently");
    let console: Vec<&str> = said.lines().filter(spoken).collect();
    assert!(console.is_empty(), "{console:#?}");
    let page = Page { dom: String::from_utf8_lossy(&output.stdout).into_owned() };
    assert_eq!(page.attribute("data-error"), None);
    assert_eq!(page.attribute("data-ready").as_deref(), Some("1"), "{said}");
    page
}

impl Page {
    /// An attribute of the root element.
    pub(crate) fn attribute(&self, name: &str) -> Option<String> {
        let (_, root) = self.dom.split_once("<html")?;
        let (root, _) = root.split_once('>')?;
        let (_, value) = root.split_once(&format!("{name}=\""))?;
        value.split_once('"').map(|(value, _)| value.to_owned())
    }

    /// The text reported under `name`.
    pub(crate) fn text(&self, name: &str) -> String {
        let start = format!("<pre class=\"report\">{name}=");
        let (_, text) = self.dom.split_once(&start).unwrap_or_else(|| panic!("{name} was not reported"));
        let (text, _) = text.split_once("</pre>").unwrap();
        text.replace("&lt;", "<").replace("&gt;", ">").replace("&amp;", "&")
    }

    /// The numbers reported under `name`.
    pub(crate) fn numbers(&self, name: &str) -> Vec<f64> {
        self.text(name).split(',').map(|number| number.parse().unwrap()).collect()
    }
}

/// Says how long it takes to do `each` and draw what is shown then.
pub(crate) fn measure_frames(player: &Player<'_>, address: &str, what: &str, each: &str) {
    // The clock on the wall, because a page under a budget of virtual time has none of its own.
    let seconds = |frames: u32| {
        let script = format!(
            "const context = document.getElementById('map').getContext('2d');
            giveway.seek(0); giveway.play();
            for (let i = 0; i < {frames}; i++) {{ {each}; context.getImageData(0, 0, 1, 1); }}"
        );
        let begin = Instant::now();
        open(player, address, &script);
        begin.elapsed().as_secs_f64()
    };
    let (none, some) = (seconds(0), seconds(400));
    eprintln!("{what}: {:.1} ms per frame", (some - none) / 0.4);
}

/// The mean time in milliseconds that the page's script takes to do `each` and to draw the page. Later painting by the
/// browser is not counted.
pub(crate) fn script_time(player: &Player<'_>, each: &str) -> f64 {
    let script = format!(
        "giveway.seek(0); giveway.play();
        const begin = performance.now();
        for (let i = 0; i < 400; i++) {{ {each}; }}
        report('milliseconds', [(performance.now() - begin) / 400]);"
    );
    open(player, "", &script).numbers("milliseconds")[0]
}

fn browser() -> Option<PathBuf> {
    let named = env::var_os("CHROMIUM").map(PathBuf::from);
    let usual = ["chromium", "chromium-browser", "google-chrome"].map(|name| Path::new("/usr/bin").join(name));
    named.into_iter().chain(usual).find(|path| path.exists())
}

/// A fresh folder, removed at the end.
struct Folder(PathBuf);

impl Folder {
    fn new() -> Self {
        static NEXT: AtomicU32 = AtomicU32::new(0);
        let number = NEXT.fetch_add(1, Ordering::Relaxed);
        let folder = env::temp_dir().join(format!("giveway-player-{}-{number}", process::id()));
        fs::create_dir_all(&folder).unwrap();
        Self(folder)
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}
