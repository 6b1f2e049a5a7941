"""The adapter to MkDocs: the plugin, the Markdown extension and the macros. Nothing else imports MkDocs."""
