// The parts of a game's page as tabs: one at a time is shown. Without script the same links lead to
// the parts, one below the other. Answers a function that shows the part with an element in it.
// Not for what is in them.

import {element} from "./page.js"

let chosen = "" // by the reader, for when the page's main part is replaced

export function startTabs(nav, signal) {
    const tabs = [...nav.querySelectorAll("a[href^='#']")]
    const panels = tabs.map((tab) => element(tab.hash.slice(1)))
    const side = nav.parentElement
    const tops = panels.map(() => 0) // how far down each was read
    let now = -1
    const choose = (index, isFocused) => {
        if (now >= 0) {
            tops[now] = side.scrollTop
        }
        tabs.forEach((tab, other) => {
            tab.setAttribute("aria-selected", String(other === index))
            tab.tabIndex = other === index ? 0 : -1
            panels[other].hidden = other !== index
        })
        if (now >= 0) {
            side.scrollTop = tops[index]
        }
        now = index
        if (isFocused) {
            tabs[index].focus()
        }
    }
    nav.setAttribute("role", "tablist")
    tabs.forEach((tab, index) => {
        tab.id = `tab-${panels[index].id}`
        tab.setAttribute("role", "tab")
        tab.setAttribute("aria-controls", panels[index].id)
        panels[index].setAttribute("role", "tabpanel")
        panels[index].setAttribute("aria-labelledby", tab.id)
        tab.addEventListener("click", (event) => {
            event.preventDefault()
            chosen = panels[index].id
            choose(index, false)
        }, {signal})
        tab.addEventListener("keydown", (event) => {
            const to = {ArrowLeft: index - 1, ArrowRight: index + 1, Home: 0, End: -1}[event.key]
            if (to !== undefined) {
                event.preventDefault()
                event.stopPropagation()
                const next = tabs.indexOf(tabs.at(to % tabs.length))
                chosen = panels[next].id
                choose(next, true)
            }
        }, {signal})
    })
    // What the address names, what is wrong, or what was just done is what is looked at.
    const holding = (one) => panels.findIndex((panel) => one && panel.contains(one))
    const show = () => {
        const named = location.hash === "" ? null : document.getElementById(location.hash.slice(1))
        const wrong = side.querySelector("[aria-invalid=true], .panel .notice[role=status]")
        const kept = chosen && document.getElementById(chosen)
        choose([wrong, kept, named].map(holding).find((at) => at >= 0) ?? 0, false)
        if (named && side.contains(named)) {
            named.scrollIntoView({block: "nearest"})
        }
    }
    addEventListener("hashchange", () => {
        chosen = ""
        show()
    }, {signal})
    show()
    nav.nextElementSibling.classList.add("ready")
    return (one) => choose(holding(one), false)
}
