"""recordweave: documentation sites woven from structured records and prose."""

__version__ = "0.1.0"
