"""From files to records: one YAML reader, the JSON Schemas, and the reader of prose; every fault a diagnostic."""
