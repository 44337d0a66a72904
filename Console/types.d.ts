interface MapConstructor { groupBy?<K, V>(items: Iterable<V>, key: (item: V) => K): Map<K, V[]> }
interface HTMLElement { showPopover(): void; hidePopover(): void }
interface URLSearchParams { readonly size: number }
