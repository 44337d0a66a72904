/// What calm Spanish does not say. The second person is always the reader; the third only where a reader is named or
/// the verb begins the sentence.
enum SpanishCalm {
    static let lists: [CalmRule: CalmList] = [
        .advice: advice, .pressure: pressure, .drama: drama, .odds: odds, .conditions: conditions, .warnings: warnings,
    ]

    private static let names = [
        "reader": """
        usted|ustedes|inversor|inversora|inversores|inversionista*|accionista|accionistas|ahorrador*|uno|tú
        """,
        "third": """
        debe|deben|debería|deberían|tiene|tienen|puede|pueden|podría|podrían|haría|harían|necesita|necesitan|\
        ha|han
        """,
        "second": "debes|deberías|tienes|puedes|podrías|harías|necesitas|tendrías",
        "trade": """
        comprar*|vender*|mantener*|deshacer*|invertir|entrar|salir|esperar|actuar|reducir|aumentar|revisar|\
        diversificar|aguantar|ampliar|liquidar|recortar|aprovechar|evitar|vigilar|seguir|operar|reaccionar|\
        adquirir|desprender*|reequilibrar|comprobar|consultar
        """,
        "wise": """
        conviene|convendría|recomendable|aconsejable|prudente|sensato|oportuno|recomiend*|recomendamos|aconsej*|\
        sugerimos|sugerimos|preferible|razonable|interesante|sería|buen|buena|mejor
        """,
    ]

    private static let advice = CalmList(
        words: names,
        lines: """
            {reader} _2 {third} que|de|bien|en? en? _2 {trade}
            {second} que|bien? en? _2 {trade}
            ^ {third} que? _2 vender*|comprar*|invertir|esperar|actuar
            {third} usted|ustedes _2 {trade}
            hay|habría que _2 vender*|comprar*|invertir|entrar|salir|actuar|esperar|aprovechar
            hora|momento|tiempo|oportunidad|ocasión|motivo|razón|señal de|para|ideal|perfecto? de|para? comprar*|\
            vender*|entrar|salir|actuar|invertir|recoger|deshacerse|compra|venta
            !al hora|momento de|para _1 {trade}
            mala|buena|mejor idea|opción de? {trade}
            conviene|convendría|recomendable|aconsejable|prudente|sensato|oportuno|preferible _4 {trade}
            recomiend*|recomendamos|aconsejamos|aconseja|aconsejan|sugerimos _4 {trade}|compra|venta
            vale|merece la pena _2 {trade}
            más vale _2 {trade}
            haría|harían|harías bien en
            {trade} _4 sería|parece _2 sensato|prudente|recomendable|aconsejable|oportuno|inteligente|lógico|buena
            plantearse|considerar|valorar|pensar|contemplar en? la|una? venta|compra|vender*|comprar*
            ^ compre|compren|venda|vendan|mantenga|mantengan|espere|esperen|actúe|actúen|aproveche|aproveche*|\
            aprovecha|revise|evite|diversifique|manténgase|reduzca|salga|entre|consulte|vigile
            ^ compra|vende|mantén|espera ya|ahora|hoy|tus|sus|antes|cuanto
            no compre|venda|compres|vendas|espere|esperes
            venda|vendan|compre|compren|vende|compra|actúe ahora|ya|hoy|cuanto|antes|rápido
            tomar|toma|recoger|recogida|recoja|realizar de? beneficios|ganancias|plusvalías
            precio objetivo
            oportunidad de compra|venta|entrada|inversión
            tomar|tomando|toma|tomen posiciones|posición
            hueco|sitio|lugar|espacio en _2 cartera|carteras
            no es un? mal|mala momento|idea
            punto de entrada|salida
            recortar|limitar|cortar _1 pérdidas
            asegurar|asegure|asegurarse _1 ganancias|beneficios
            {reader} _6 de cerca
            no pierda|perder|pierdas de vista
            siga|sigue|seguir|vigile|vigilar de cerca _3 acción|acciones|precio|cotización|título
            manténgase|mantente|permanezca|estar atento|atenta|atentos|informado|invertido|alerta
            infórmese|infórmate
            más información en
            lea|lee más
            asesor financiero
            revis* _1 su|tu cartera
            investig* por su|tu propia? cuenta
            {wise} _3 construir|construyendo|ampliar|ampliando|reducir|reduciendo|tomar|tomando|abrir _3 posición|posiciones
            pocas|escasas|ninguna|pocos razón|razones|motivos para|de mantenerse|quedarse|permanecer|seguir|esperar
            mantenerse|quedarse|permanecer|seguir al margen
            quien|quienes entre|entren|compre|compren|venda|vendan ahora|hoy
            por qué esperar|dudar
            refugio más? seguro|segura
            """)

    private static let pressure = CalmList(
        words: names,
        lines: """
            urgente*|urge|urgen|inmediatamente|apresúr*|apresur*|imprescindible|imperativo|imperiosa*
            con|hay urgencia
            de inmediato
            ya mismo
            cuanto antes
            lo antes posible
            lo más pronto|rápido posible
            antes de que sea|fuera _1 tarde
            demasiado tarde
            última|últimas oportunidad|oportunidades|ocasión
            última hora
            no se|te lo? pierda|pierdas
            no pierda|pierdas _1 tiempo|ocasión|oportunidad
            tiempo apremia|urge
            no deje|dejes|deja|dejar _2 pasar|escapar
            tiempo se acaba|agota|apremia
            se acaba|agota el tiempo
            dese|date prisa
            ahora o nunca
            sin demora|dudarlo|falta
            no espere|esperes|dude|dudes
            actúe|actúa|actuar ya|rápido|rápidamente|hoy|ahora|pronto
            {reader} debe|deben|tiene|tienen que? saber|conocer|leer
            tiene|tienes que saber|leer
            debe|debes saber|conocer|leer
            lo que hay|debe|debes|necesita|tiene que? saber
            quedarse fuera|atrás
            quedar atrás|fuera
            ventana _3 cierr*
            brazos cruzados
            manos vacías
            quien|quienes|el que espere|esperen|tarde|dude demasiado|mucho
            cuenta atrás
            reloj corre
            """)

    private static let drama = CalmList(
        lines: """
            desplom*|derrumb*|colaps*|hundió|hundieron|hunde|hunden|hundimiento|hundirse|hundido|hundida|hundidos
            catástrof*|catastrófic*|desastr*|pánico|caos|caótic*|alarmante*|alarma|alarmas|alarmad*
            se disparó|dispararon|dispara|disparan
            disparado|disparada|disparados|disparadas|disparo
            explosiv*|masivo|masiva|masivos|masivas|masivamente|brutal*|espectacular*|dramátic*|increíble*|impresionante*
            vertiginos*|estrepitos*|imparable*|locura|debacle|ruina|ruinos*|pesadilla|apocal*|estall*|frenesí|frenétic*
            sin precedentes
            aterrador*|escalofriante*|sacud*|garantizad*|infalible*|pelotazo|bombazo|bombazos|batacazo|varapalo
            tambale*|cunde|cunden|zozobra|desbandada|sangría|temblar|tiembla|tiemblan|mazazo|cataclismo
            en picado
            baño de sangre
            caída|caídas libre|estrepitosa
            por las nubes
            a la luna
            sin riesgo
            tormenta perfecta
            montaña rusa
            prepárese|prepárate|prepárense|agárr*|abróch*
            !no|ningún|ninguna|sin|hay|haya motivo|motivos|razón|razones de|para _2 preocup*|inquiet*|alarm*|temer
            !no|ni hay|haya|existen|son|dan motivo|motivos|razón|razones de|para _2 preocup*|inquiet*|alarm*|temer*
            preocupante*|inquietante*|sombrí*|ominos*|tenebros*|nefast*|funest*
            lo peor _2 por|llegar|venir
            peor está
            mal|malos|negro presagio|presagios|augurio
            augura|presagia nada|tiempos bueno|malos|difíciles
            grave|serio|gran peligro|amenaza
            grave preocupación|inquietud
            seria preocupación|inquietud
            en guardia
            extremar|máxima la? cautela|prudencia|precaución
            ponerse a salvo
            mucho en juego
            penuria*|calvario|travesía|espiral
            semana|semanas|meses|tiempos|años penos*|aciag*|oscur*
            grieta|grietas
            no|apenas|difícilmente|pocos|mal _3 dormir|dormirá|dormirán|duerme|duermen
            noches en vela
            quita|quitan|quitar|pierde|pierden|perder el sueño
            amarg*|doloros*|turbulent*|convuls*|agitad* _2 semana|semanas|meses|tiempos|invierno|año|años|etapa
            semana|semanas|meses|tiempos|invierno|año|años|etapa amarg*|doloros*|turbulent*|convuls*|agitad*|difíciles|duros|duras
            angusti*|desasosiego|zozobra|implacable*|despiadad*|lamentará|lamentarán
            arrepentirá|arrepentirán
            lo peor _4 por|llegar|venir
            tormenta|tempestad|nubarrones|amenaza|sombra _2 cierne|ciernen|avecina|avecinan
            suelo _4 bajo _3 pies
            prepar* para lo? peor|golpe|tormenta
            pende|penden|pendiente de un hilo
            borde del|de abismo|precipicio
            ahorros|ganancias|patrimonio _5 barrid*|arras*|esfum*|evapor*|humo
            polvorín
            bomba de relojería
            clavo _3 ataúd
            """)

    private static let odds = CalmList(
        words: [
            "n": """
            #|un|uno|una|dos|tres|cuatro|cinco|seis|siete|ocho|nueve|diez|veinte|treinta|cuarenta|cincuenta|\
            sesenta|setenta|ochenta|noventa
            """
        ],
        lines: """
            {n} %|por ciento? de probabilidad*|posibilidad*|opcion*|riesgo|certeza|seguridad
            probabilidad* _8 {n} %|por|sobre|entre|contra
            posibilidad*|opciones _4 {n} %|por|sobre|entre|contra
            probable* _2 {n} %|por
            probabilidad*|posibilidad*|probable* _3 {n} de cada {n}
            {n} de cada {n} casos|escenarios|veces
            {n} posibilidad*|probabilidad*|opciones entre|de|sobre|contra {n}
            cincuenta|50 cincuenta|50
            cincuenta por ciento
            mitad de _2 probabilidades|posibilidades
            cara o cruz
            dos tercios de probabilidad*|posibilidad*
            """)

    private static let conditions = CalmList(
        lines: """
            si usted|ustedes|tú _4 acción|acciones|títulos|participaciones|accionista|inversor|posee|poseen|invierte
            si tienes|posees|mantienes|eres|inviertes _3 acción|acciones|títulos|participaciones|accionista|inversor|parte
            si posee|tiene|mantiene acciones|títulos|participaciones
            en caso de que? usted? poseer|posea|tener|tenga|mantener acciones|títulos|participaciones
            para quien|quienes|los|aquellos|todos|cualquiera que? los|las? que? _2 tengan|tenga|posean|posea|tienen|\
            poseen|invierten|mantienen
            inversores|accionistas|lectores que _2 tengan|tienen|posean|poseen|mantienen
            puede|podría|pueden|podrían afectar|perjudicar|golpear|mover|reducir|influir _1 su|sus|tu|tus cartera|\
            ahorros|dinero|bolsillo
            """)

    private static let warnings = CalmList(
        lines: """
            cuidado|cautela|precaución|advert*|riesgo*|peligr*|amenaz*|preocup*|inciert*|incertidumbre|vigil*
            pero|sin embargo|aunque|no obstante|salvo|excepto
            sin embargo
            no obstante
            está por ver
            por verse
            el tiempo dirá
            estar preparado*
            """)
}
