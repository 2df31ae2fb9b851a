// The link to other games with the position on the board: it follows the board when it is stepped
// through in place. Without script it leads from the position that the page came with.

function follow(event) {
    const link = event.target.closest?.(".opening a[rel]")
    const field = document.getElementById("fen")
    if (link && field) {
        link.href = "/archive?position=" + encodeURIComponent(field.value)
    }
}

// Called again when the main part of a page was replaced; the document that is listened to stays.
export function start() {}

for (const kind of ["pointerdown", "focusin", "click"]) document.addEventListener(kind, follow)
