internal import Prompts

/// Questions whether, when or how to invest at all, about no company and no term: `Should I invest?`, `Soll ich jetzt
/// Aktien kaufen?`
///
/// None of their words names a subject that a search could find, and the answer is no advice. The library has a page of
/// the questions that one asks oneself before; the query finds it by its title.
enum WhetherToInvest {
    /// The title of `library/questions-before-investing.md`.
    static let query = PassageQuery("Questions before investing", keepsAll: true)

    static func isAsked(by question: String) -> Bool {
        let stems = ContentWords(question).stems
        let isAboutInvesting = !stems.isDisjoint(with: investing)
        let isAboutBuying = !stems.isDisjoint(with: buying) && !stems.isDisjoint(with: things)
        guard isAboutInvesting || isAboutBuying else { return false }
        return stems.subtracting(investing).subtracting(buying).subtracting(things).subtracting(general)
            .subtracting(PassageQuery.askingWords).allSatisfy { $0.allSatisfy(\.isNumber) }
    }

    private static let investing = ContentWords(
        """
        invest investing investment investments investieren investiere investiert anlegen anlege anzulegen invertir invierto invertimos
        investir investis placer
        """
    ).stems

    private static let buying = ContentWords("buy buying put kaufen kaufe comprar compro acheter achète").stems

    private static let things = ContentWords(
        """
        stock stocks share shares equity equities market markets money savings cash aktie aktien börse geld ersparnisse
        acción acciones bolsa dinero ahorros action actions bourse argent épargne économies
        """
    ).stems

    /// Words of time, of amounts and of beginning, which such questions have beside them.
    private static let general = ContentWords(
        """
        time moment start starting started begin beginning begun today still yet early late soon wait waiting wise safe worth
        sense right year years month months long term first new young old dollar dollars euro euros into put already before
        again own it little bit amount here whether
        soll sollte ich kann muss jetzt heute zeit zeitpunkt anfangen anfange beginnen beginne fange fängt an um zu es guter gute
        gut richtige richtiger lohnt sich noch mein meine mich jahr jahre warten
        debo debería debemos puedo ahora hoy momento tiempo buen bueno buena empezar empiezo comenzar yo mi mis me en es vale
        pena hay que año años
        dois devrais devons puis faut il maintenant aujourd hui moment temps bon bonne commencer je j mon ma mes en y vaut
        peine est pour attendre an ans année années
        """
    ).stems
}
