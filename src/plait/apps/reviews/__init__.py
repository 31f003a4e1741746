"""A review in the forms that people and other programs read: terminal, Markdown, JSON, SARIF, GitHub annotations,
HTML."""
