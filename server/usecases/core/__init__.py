"""What every use case builds on: context, rights, writing, letters to send."""
