// The page that stands for those that can't be fetched: why, and which were kept, newest first.
// Not for keeping them (sw.js).

import {element} from "./board/page.js"
import {when} from "./seen.js"

const root = document.documentElement

async function list() {
    const pages = await caches.open("kskak-pages")
    const rows = []
    for (const key of await pages.keys()) {
        const answer = await pages.match(key)
        const seen = answer?.headers.get("Kskak-Seen")
        if (answer && seen) {
            const page = new DOMParser().parseFromString(await answer.text(), "text/html")
            rows.push({path: new URL(key.url).pathname, title: page.title.split(" · ")[0], seen})
        }
    }
    const list = element("kept").querySelector("ul")
    rows.sort((a, b) => Number(b.path === "/") - Number(a.path === "/") || (a.seen < b.seen ? 1 : -1))
    for (const row of rows) {
        const item = document.createElement("li"), link = document.createElement("a"), at = document.createElement("span")
        link.href = row.path
        link.textContent = row.title
        at.className = "quiet"
        at.textContent = when(row.seen)
        item.append(link, " ", at)
        list.append(item)
    }
    element("kept").hidden = rows.length === 0
    element("none-kept").hidden = rows.length > 0
}

if (root.dataset.offline !== undefined) {
    const isUnsent = location.search === "?unsent=1"
    element("again").href = isUnsent ? document.referrer || "/" : location.href
    element("unsent").hidden = !isUnsent
    element("left").hidden = root.dataset.left === undefined
    list()
}
