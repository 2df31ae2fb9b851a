// The elements of the page that the board's parts speak through. Not for what is said.

// An element of our own template, which is there.
/** @param {string} id @returns {any} its kind is the template's */
export function element(id) {
    const found = document.getElementById(id)
    if (!found) {
        throw new Error(`no #${id}`)
    }
    return found
}

// What stands there already is not set anew: a screen reader would read it again.
/** @param {{textContent: string | null}} place @param {string} text */
export function say(place, text) {
    if (place.textContent !== text) {
        place.textContent = text
    }
}
