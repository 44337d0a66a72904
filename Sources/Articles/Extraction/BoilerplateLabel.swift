/// Short texts that say that a box is an advertisement or still loading.
enum BoilerplateLabel {
    private static let labels: Set<String> = [
        "ad", "ads", "advertising", "advertisement", "advertisements", "anzeige", "anuncio", "pub", "publicité",
        "publicidad", "pubblicità", "sponsored", "werbung", "реклама", "广告", "廣告", "広告", "loading", "chargement",
        "laden", "carregando", "cargando", "загрузка", "正在加载",
    ]

    static func matches(_ text: String) -> Bool {
        let bare = text.lowercased().filter { $0.isLetter }
        return labels.contains(bare)
    }
}
