// What our pages' elements are known to be, so that script needs no cast for each one it looks up:
// a name that is in none of these, nor in the browser's own types, is an error.

interface Element {
    dataset: DOMStringMap
    disabled: boolean
    elements: any
    focus(options?: FocusOptions): void
    hidden: boolean
    href: string | URL
    open: boolean
    select(): void
    src: string
    submit(): void
    textContent: string
    title: string
    value: string
    defaultValue: string
}
interface EventTarget {
    closest(selector: string): Element | null
    dataset: DOMStringMap
    elements: any
    getAttribute(name: string): string | null
}
interface Node { contains(other: EventTarget | null): boolean }
interface NotificationOptions { renotify?: boolean }
interface PerformanceEntry { responseStatus?: number }
interface Credential { response: any }
interface ServiceWorkerRegistration { sync?: { register(tag: string): Promise<void> } }

// The worker (sw.js) is checked among the pages' modules.
interface Window {
    clients: any
    registration: ServiceWorkerRegistration
    skipWaiting(): Promise<void>
}
interface Event {
    waitUntil(what: Promise<unknown>): void
    respondWith(what: unknown): void
    request: Request
    notification: any
    data: any
    tag: string
}
