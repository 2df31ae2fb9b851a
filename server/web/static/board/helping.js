// The switch for a chess engine, where the server has one: it is fetched and run in the reader's own
// browser when he has turned it on and tries moves, which each device remembers. Not for what it
// says (engine.js).

import {recall, remember} from "./keeping.js"
import {element} from "./page.js"

export function offerEngine(trying, load) {
    const place = document.getElementById("engine")
    if (!place) {
        return
    }
    const box = element("engine-on")
    /** @type {any} */
    let engine = null
    /** @type {any} what is fetched once */
    let loaded = null
    const follow = async () => {
        const {script, words} = place.dataset
        if (!box.checked || !trying.isOn || !script || !words) {
            engine?.stop()
            return
        }
        try {
            loaded ||= Promise.all([load(), fetch(words).then((one) => one.json())])
            const [{Engine}, said] = await loaded
            engine ||= new Engine(script, trying, said)
        } catch {
            loaded = null
            element("engine-says").textContent = trying.words.failed
            return
        }
        // Meanwhile it may have been turned off.
        if (box.checked && trying.isOn) {
            engine.show(trying.at_.fen)
        }
    }
    box.checked = Boolean(recall("engine", "on"))
    box.addEventListener("change", () => {
        remember("engine", "on", box.checked ? {} : null)
        follow()
    })
    trying.followers.push(follow)
    trying.stopped = follow
}
