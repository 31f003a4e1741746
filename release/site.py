"""The hook of the documentation site: pages made from declarations, and pages as they are in the repository."""

from __future__ import annotations

import re
import sys
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[1]
sys.path[:0] = [str(ROOT), str(ROOT / "src")]

from mkdocs.structure.files import File, Files  # type: ignore[import-not-found]  # noqa: E402

from plait.apps.cli.schema import table  # noqa: E402
from plait.report.catalog import CATALOG  # noqa: E402
from release.addresses import addresses, published  # noqa: E402
from release.examples import DOCS, RELATED, page_examples  # noqa: E402
from release.library import api_page  # noqa: E402
from release.pages import diagnostic_page, settings_page  # noqa: E402

FENCE = re.compile(r"^```(\w+) (?:title=(\S+)|\S+)$", re.M)
OUTSIDE = re.compile(
    r"\[([^\]\n]*)\]\((?:\.\./)+((?:examples|SECURITY|README|CONTRIBUTING|CHANGELOG|ARCHITECTURE|src|tests)[^)]*)\)"
)
GUIDE = 4.0
BOOSTS = {"decisions/": 0.1, "reference/diagnostics": 0.2, "reference/": 1.0, "explanation/": 1.0, "style.md": 0.1}
"""How high the search ranks pages, by how their names begin; all others are guides."""
GITLAB = "<!-- gitlab.yml -->"
"""Where a page shows the template for GitLab."""
CODE = re.compile(r'^\| (<a id="\w+"></a>)?(PL\d{4}) \|', re.M)


def on_config(config: Any) -> Any:
    """Name the addresses of the project, if it has any."""
    urls = addresses()
    config["site_url"], config["repo_url"] = urls.get("Documentation", ""), urls.get("Source", "")
    return config


def on_files(files: Files, config: Any) -> Files:
    """Add the pages that are made: one for each diagnostic, the schemas, the library."""
    for code in CATALOG:
        files.append(_made(config, f"reference/diagnostics/{code}.md", diagnostic_page(code)))
    files.append(_made(config, "reference/files.md", settings_page()))
    files.append(_made(config, "reference/outputs.md", _outputs()))
    files.append(_made(config, "reference/api.md", api_page()))
    return files


def on_page_markdown(markdown: str, page: Any, config: Any, files: Files) -> str:
    """Set how high the search ranks a page. Return it with links to the playground, blocks as the highlighter reads
    them, and links out of the folder and codes as addresses."""
    page.meta["search"] = {"boost": search_boost(page.file.src_uri)}
    markdown = _playable(markdown, page.file.src_uri).replace(GITLAB, gitlab_template())
    markdown = FENCE.sub(lambda found: f"```{found[1]}" + (f' title="{found[2]}"' if found[2] else ""), markdown)
    source = addresses().get("Source", "")
    markdown = OUTSIDE.sub(lambda found: published(f"[{found[1]}]({found[2]})", source), markdown)
    if page.file.src_uri == "reference/diagnostics.md":
        markdown = CODE.sub(lambda found: f"| {found[1] or ''}[{found[2]}](diagnostics/{found[2]}.md) |", markdown)
    return markdown


def search_boost(name: str) -> float:
    """Return by how much the search ranks a page above or below others: guides come first."""
    return next((boost for folder, boost in BOOSTS.items() if name.startswith(folder)), GUIDE)


def gitlab_template() -> str:
    """Return the template for GitLab as a block of Markdown."""
    return f"```yaml\n{(DOCS / 'gitlab.yml').read_text(encoding='utf-8')}```"


def _playable(markdown: str, name: str) -> str:
    """A page with a link to the playground below each of its examples."""
    if not (DOCS / name).is_file():
        return markdown
    for found in reversed(page_examples(DOCS / name)):
        markdown = f"{markdown[: found.end]}\n\n{_link(name, found.name)}\n{markdown[found.end :]}"
    if name in RELATED:
        head, newline, rest = markdown.partition("\n")
        markdown = f"{head}\n\n{_link(name, RELATED[name])}\n{newline}{rest}"
    return markdown


def _link(page: str, example: str) -> str:
    up = "../" * page.count("/")
    return f'<p><a href="{up}playground/index.html#example={example}">Open this example in the playground</a></p>'


def _made(config: Any, name: str, text: str) -> File:
    return File.generated(config, name, content=text)


def _outputs() -> str:
    lines = ["# JSON output", "", "`plait schema NAME` prints the JSON Schema of what a command prints with"]
    lines += [
        "`--format json`. Within a version keys are only added.",
        "",
        "| schema | version | what |",
        "|---|---|---|",
    ]
    return (
        "\n".join(lines + [f"| `{name}` | {version} | {what} |" for name, (what, version, _) in table().items()]) + "\n"
    )
