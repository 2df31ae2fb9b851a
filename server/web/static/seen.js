// When a kept page was last seen. Not for which pages are kept (sw.js).

import {element} from "./board/page.js"

const facts = element("app").dataset

// "at 20.31", with the day when it was not today.
export function when(text) {
    const {lang} = document.documentElement
    const seen = new Date(text)
    const time = new Intl.DateTimeFormat(lang, {hour: "2-digit", minute: "2-digit"}).format(seen)
    if (seen.toDateString() === new Date().toDateString()) {
        return facts.at.replace("{time}", time)
    }
    const day = new Intl.DateTimeFormat(lang, {day: "numeric", month: "long"}).format(seen)
    return facts.on.replace("{day}", day).replace("{time}", time)
}
