"""Checks that every link and picture inside the built book leads somewhere. Usage: check_links.py BOOK_DIRECTORY"""

import pathlib
import sys
import urllib.parse
from html.parser import HTMLParser


class Page(HTMLParser):
    """The links that a page has, and the anchors that it offers."""

    def __init__(self, text):
        super().__init__()
        self.links, self.anchors = [], set()
        self.feed(text)

    def handle_starttag(self, tag, attributes):
        attributes = dict(attributes)
        self.anchors.update(filter(None, [attributes.get("id"), attributes.get("name")]))
        self.links += filter(None, [attributes.get("href"), attributes.get("src")])


book = pathlib.Path(sys.argv[1]).resolve()
pages = {path: Page(path.read_text()) for path in sorted(book.rglob("*.html"))}
broken = []
for path, page in pages.items():
    for link in page.links:
        parts = urllib.parse.urlsplit(link)
        if parts.scheme or parts.netloc or path.name in ("404.html", "toc.html"):
            continue
        target = (path.parent / urllib.parse.unquote(parts.path)).resolve() if parts.path else path
        anchor = urllib.parse.unquote(parts.fragment)
        if not target.exists() or (anchor and target in pages and anchor not in pages[target].anchors):
            broken.append(f"{path.relative_to(book)}: {link}")
print(f"{sum(len(page.links) for page in pages.values())} links on {len(pages)} pages")
sys.exit("these lead nowhere:\n" + "\n".join(broken) if broken or not pages else 0)
