"""The domain: IDs and mentions, values, records, table rows, and the collection that answers questions about them.

Nothing here knows of YAML, HTML or MkDocs.
"""
