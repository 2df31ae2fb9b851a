// The link to other games with the position on the board: it follows the board when it is stepped
// through in place. Without script it leads from the position that the page came with.
const link = document.querySelector(".opening a[rel]")
const field = document.getElementById("fen")

function follow() {
    link.href = "/archive?position=" + encodeURIComponent(field.value)
}

if (link && field) {
    for (const kind of ["pointerdown", "focus", "click"]) link.addEventListener(kind, follow)
}
