"""From records to HTML: inline text, references, cards, tables and whole pages, and the same as data.

Everything is escaped in one of two places: the Jinja templates, whose autoescape is on, and `markupsafe` formatting in
`inline`. Nothing here knows of MkDocs: addresses come from the `Links` that a page is rendered with.
"""
