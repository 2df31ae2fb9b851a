// The button that turns notifications on: asks the browser for an address to send to and puts it
// into the form. Everything else on the page is links and forms.

import {element} from "./board/page.js"

/** @type {any} on the pages that have the button */
const form = document.getElementById("turn-on")

export function start() {}

if (form) {
    const button = form.querySelector("button"), says = element("push-says")
    if (!navigator.serviceWorker || !("PushManager" in window) || !("Notification" in window)) {
        says.textContent = form.dataset.unable
    } else if (Notification.permission === "denied") {
        says.textContent = form.dataset.denied
    } else {
        says.textContent = ""
        button.disabled = false
        form.addEventListener("submit", async (event) => {
            event.preventDefault()
            button.disabled = true
            says.textContent = await turnOn().catch(() => form.dataset.failed)
            button.disabled = false
        })
    }
}

async function turnOn() {
    if (await Notification.requestPermission() !== "granted") {
        return form.dataset.denied
    }
    const key = await fetch(form.dataset.key)
    if (!key.ok) {
        return form.dataset.failed
    }
    const worker = await navigator.serviceWorker.ready
    // One that was made for another key, or for who sat here before, is of no use.
    await (await worker.pushManager.getSubscription())?.unsubscribe()
    const made = await worker.pushManager.subscribe({
        userVisibleOnly: true,
        applicationServerKey: await key.text(),
    })
    const {endpoint, keys = {}} = made.toJSON()
    form.elements.endpoint.value = endpoint
    form.elements.key.value = keys.p256dh
    form.elements.auth.value = keys.auth
    form.submit()
    return ""
}
