"""What every use case stands on: context, rights, writing, letters to send."""
