/// Embedded players that belong to an article.
enum VideoHosts {
    private static let hosts = [
        "youtube.com/", "youtube-nocookie.com/", "player.vimeo.com/", "dailymotion.com/", "player.twitch.tv/",
        "v.qq.com/", "archive.org/embed", "upload.wikimedia.org/",
    ]

    static func names(_ index: HTMLTree.Index, in tree: HTMLTree) -> Bool {
        [HTMLAttribute.src, .data].contains { key in
            guard let address = tree.attribute(key, of: index) else { return false }
            return hosts.contains { address.contains($0) }
        }
    }
}
