"""Incoming mail: taken, sorted, understood, acted on."""
