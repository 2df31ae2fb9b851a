"""Mail in: taken, sorted, understood, acted on."""
