"""Calculations and lists."""
