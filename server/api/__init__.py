"""The JSON API under /api/v1, and what operators ask: /healthz, /readyz, /metrics (CONTRACTS).

Its entrance is routes.add_api. Not for pages (server.web) nor for rules.
"""
