"""How everything looks: colours, name, logo, letters and pieces, of pages, mails and PDFs."""
