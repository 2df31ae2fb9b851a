"""The JSON API under /api/v1, and the operators' endpoints /healthz, /readyz, /metrics (CONTRACTS).

The entry point is routes.add_api. Not for pages (server.web) or rules.
"""
