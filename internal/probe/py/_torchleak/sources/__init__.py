"""Where steps are seen: one module a source, each with apply() and remove()."""
