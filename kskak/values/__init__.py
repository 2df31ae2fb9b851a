"""Small values that every rule uses: names, fields of JSON, cells of a sheet."""
