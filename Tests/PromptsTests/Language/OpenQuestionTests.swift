import Basics
import Testing

@testable import Prompts

/// To say that a low price cannot be told is no advice; to call a share cheap is.
@Suite struct OpenQuestionTests {
    @Test(arguments: [
        (Language.french, "On ne peut pas dire ici si l'action est bon marché."),
        (.french, "Sans cours, il est impossible de savoir si le titre est bon marché ou cher."),
        (.spanish, "Sin precio no se puede decir si la acción es barata."),
        (.spanish, "Los datos no permiten saber si la acción está infravalorada."),
        (.german, "Ob die Aktie günstig bewertet ist, lässt sich hier nicht sagen."),
        (.german, "Ohne Kurs lässt sich nicht sagen, ob die Aktie unterbewertet ist."),
    ])
    func whatCannotBeToldIsNoAdvice(_ language: Language, _ text: String) {
        #expect(CalmRule.advice.match(in: text, language) == nil)
        #expect(CalmRule.advice.match(in: text.decomposed, language) == nil)
    }

    @Test(arguments: [
        (Language.french, "L'action est bon marché."), (.french, "Si l'action est bon marché, elle ne le restera pas."),
        (.french, "On ne peut pas dire si les marges tiendront, mais l'action est bon marché."),
        (.french, "On ne peut pas dire si l'action est bon marché, mais c'est un bon moment pour acheter."),
        (.spanish, "No se puede decir si subirá, pero la acción es barata."),
        (.spanish, "La acción está barata y no se puede decir otra cosa."),
        (.spanish, "No se puede decir si la acción es barata, pero parece una ganga."),
        (.german, "Ob der Umsatz steigt, lässt sich nicht sagen, doch die Aktie ist günstig bewertet."),
        (.german, "Man kann nicht anders sagen, als dass die Aktie günstig bewertet ist."),
    ])
    func aCheapShareIs(_ language: Language, _ text: String) {
        #expect(CalmRule.advice.match(in: text, language) != nil)
    }
}
