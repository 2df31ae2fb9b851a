"""The register in the API."""
