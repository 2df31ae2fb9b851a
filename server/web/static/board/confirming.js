// What will be sent, shown on the game's page itself: the server's own preview in a dialog beside
// the board. What cannot be shown so is sent as a form is without script. Not for what is sent.

export function startConfirming(form, words) {
    const dialog = document.createElement("dialog")
    dialog.className = "confirm"
    let isPlain = false
    dialog.addEventListener("close", () => dialog.remove())

    form.addEventListener("submit", async (event) => {
        if (isPlain) {
            return
        }
        event.preventDefault()
        const {submitter} = event
        const {shown, url} = await preview(form, submitter).catch(() => ({shown: null, url: ""}))
        if (shown) {
            show(shown)
            return
        }
        if (url) {
            location.assign(url)
            return
        }
        isPlain = true
        form.requestSubmit(submitter)
        isPlain = false
    })

    function show(shown) {
        // Read from the top; a second press of Enter neither sends nor follows a link.
        const title = Object.assign(document.createElement("h2"), {
            textContent: words.confirm, id: "confirm-title", tabIndex: -1, autofocus: true,
        })
        dialog.setAttribute("aria-labelledby", title.id)
        shown.querySelector(".board-column")?.remove()
        shown.querySelector("[formaction$='/change']").addEventListener("click", (event) => {
            event.preventDefault()
            dialog.close()
        })
        dialog.replaceChildren(title, document.adoptNode(shown))
        form.after(dialog)
        dialog.showModal()
        uncover()
    }

    // On a phone the dialog would lie over the lower part of the board.
    function uncover() {
        const board = document.querySelector(".game-view > .board")
        const [below, over] = [board?.getBoundingClientRect(), dialog.getBoundingClientRect()]
        if (below && over.left < below.right && over.top < below.bottom) {
            board?.scrollIntoView()
        }
    }
}

// The form to send, out of the preview; the address where another answer stands.
async function preview(form, submitter) {
    /** @type {any} all of them text */
    const fields = new FormData(form, submitter)
    const answer = await fetch(form.action, {
        method: "POST", body: new URLSearchParams(fields),
        headers: {Accept: "text/html"},
    })
    const page = new DOMParser().parseFromString(await answer.text(), "text/html")
    const shown = answer.ok && page.querySelector("main form[action$='/move']")
    return {shown, url: answer.redirected ? answer.url : ""}
}
