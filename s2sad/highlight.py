"""Python source in colours, where there is somebody to see them."""

from __future__ import annotations

import html
from typing import Any, cast


def highlighted(text: str, stream: Any) -> str:
    """The text in terminal colours, when the stream is a terminal and Pygments is installed; else the text."""
    if not getattr(stream, "isatty", lambda: False)():
        return text
    try:
        from pygments import highlight
        from pygments.formatters import TerminalFormatter
        from pygments.lexers import PythonLexer
    except ImportError:
        return text
    return cast(str, highlight(text, PythonLexer(), TerminalFormatter()))


def as_html(text: str) -> str:
    """The text as HTML for notebooks: in colours with Pygments, plain without."""
    try:
        from pygments import highlight
        from pygments.formatters import HtmlFormatter
        from pygments.lexers import PythonLexer
    except ImportError:
        return f"<pre>{html.escape(text)}</pre>"
    return cast(str, highlight(text, PythonLexer(), HtmlFormatter(noclasses=True, nobackground=True)))
