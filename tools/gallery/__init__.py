"""Figures of docs/validation.md; see tools/make_gallery."""
