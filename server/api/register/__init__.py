"""The register by API."""
