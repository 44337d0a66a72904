extension KnownTopics {
    /// By kind, a line for each topic: its key, and its names in the languages that are read.
    static let names: [(Kind, String)] = [
        (
            .centralBank,
            """
            fed: Fed, Federal Reserve, FOMC, Federal Open Market Committee, Powell, US-Notenbank, Réserve fédérale, Reserva Federal
            ecb: ECB, EZB, BCE, European Central Bank, Lagarde, Europäische Zentralbank
            ecb: Banque centrale européenne, Banco Central Europeo
            boe: BoE, Bank of England, Banque d'Angleterre, Banco de Inglaterra, Old Lady, Threadneedle Street
            boe: Old Lady of Threadneedle Street
            boj: BOJ, Bank of Japan
            boc: BoC, Bank of Canada
            rba: RBA, Reserve Bank of Australia
            rbnz: RBNZ, Reserve Bank of New Zealand
            snb: SNB, BNS, Swiss National Bank, Swiss central bank, Schweizerische Nationalbank
            snb: Banque nationale suisse, Banco Nacional Suizo
            pboc: PBOC, People's Bank of China
            rbi: RBI, Reserve Bank of India
            riksbank: Riksbank
            norges: Norges Bank
            bank of kr: BOK, Bank of Korea, Banco de Corea, Banque de Corée
            bank of de: Bundesbank, Deutsche Bundesbank
            bank of mx: Banxico
            bank of tr: CBRT
            bank of br: Copom, Selic
            bank of co: BanRep, Banco de la República
            bank of za: SARB, South African Reserve Bank
            bank of id: Bank Indonesia
            bank of pl: NBP, National Bank of Poland
            bank of hu: MNB
            bank of il: Bank of Israel
            bank of ph: BSP, Bangko Sentral
            """
        ),
        (
            .index,
            """
            us-stocks: Dow, S&P 500, Nasdaq, Wall Street, US stocks, U.S. stocks, US shares, U.S. shares, Russell 2000
            uk-stocks: FTSE, FTSE 100, UK shares, UK stocks, British shares, London stocks
            de-stocks: DAX, German shares, German stocks, Frankfurter Börse
            fr-stocks: CAC, CAC 40, French shares, French stocks, Bourse de Paris, Pariser Börse
            es-stocks: Ibex, Ibex 35, Spanish shares, Spanish stocks, Bolsa española, Bolsa de Madrid
            it-stocks: FTSE MIB, Italian shares, Italian stocks
            eu-stocks: STOXX, STOXX 600, EuroStoxx, Euro Stoxx, European shares, European stocks, Bolsas europeas
            eu-stocks: Bourses européennes
            ch-stocks: SMI, Swiss shares, Swiss stocks, Schweizer Börse
            jp-stocks: Nikkei, Topix, Japanese shares, Japanese stocks, Japan shares, Tokyo stocks
            hk-stocks: Hang Seng, Hong Kong stocks, Hong Kong shares
            cn-stocks: CSI 300, Shanghai Composite, Chinese stocks, Chinese shares, China stocks, China shares
            in-stocks: Sensex, Nifty, Indian shares, Indian stocks
            kr-stocks: Kospi, South Korean shares, South Korean stocks, Seoul shares
            tw-stocks: Taiex, Taiwan shares, Taiwan stocks, Taiwanese stocks
            au-stocks: ASX 200, ASX, Australian shares, Australian stocks
            ca-stocks: TSX, Canadian stocks, Toronto stocks
            br-stocks: Bovespa, Ibovespa, Brazilian stocks, Brazilian shares
            mx-stocks: Mexican stocks, Mexbol
            tr-stocks: BIST 100, BIST, Turkish stocks, Turkish shares
            sg-stocks: Straits Times Index, Singapore shares, Singapore stocks
            asia-stocks: Asian shares, Asian stocks, Asia stocks, Asia shares, Bolsas asiáticas, Bourses asiatiques
            gulf-stocks: Gulf stocks, Gulf shares, Gulf bourses, Tadawul, Saudi shares, Saudi stocks
            emerging-stocks: emerging market stocks, emerging market shares, EM stocks
            world-stocks: global stocks, global shares, world stocks, world shares
            """
        ),
        (
            .currency,
            """
            usd: dollar, greenback, U.S. dollar, US dollar
            eur: euro
            gbp: pound, sterling
            jpy: yen
            cny: yuan, renminbi
            chf: Swiss franc, Schweizer Franken, franc suisse, franco suizo
            cad: Canadian dollar, loonie
            aud: Australian dollar, Aussie dollar
            nzd: New Zealand dollar
            inr: rupee, Indian rupee
            pkr: Pakistani rupee
            try: lira, Turkish lira
            brl: Brazilian real, Brazil's real
            mxn: Mexican peso
            ars: Argentine peso
            clp: Chilean peso
            cop: Colombian peso
            php: Philippine peso
            peso: peso
            krw: Korean won, South Korean won
            zar: South African rand, rand
            rub: rouble, ruble
            pln: zloty
            huf: forint
            czk: Czech koruna, koruna
            sek: Swedish krona, Swedish crown
            nok: Norwegian krone, Norwegian crown
            dkk: Danish krone
            ngn: naira
            egp: Egyptian pound
            thb: baht
            idr: rupiah
            myr: ringgit
            ils: shekel
            twd: Taiwan dollar
            vnd: Vietnamese dong
            """
        ),
        (
            .commodity,
            """
            oil: oil, crude, Brent, WTI, Ölpreis, Ölpreise, Rohöl, petróleo, crudo, pétrole
            gas: natural gas, Erdgas, gas natural, gaz naturel
            gold: gold, bullion, Goldpreis, oro
            silver: silver, Silber, Silberpreis, plata
            platinum: platinum, Platin
            palladium: palladium
            copper: copper, Kupfer, Kupferpreis, cobre, cuivre
            aluminium: aluminium, aluminum
            nickel: nickel
            lithium: lithium
            ironore: iron ore, Eisenerz
            wheat: wheat, Weizen, trigo
            corn: corn
            soybeans: soybeans
            coffee: coffee, Kaffee
            cocoa: cocoa, Kakao
            sugar: sugar, Zucker
            """
        ),
        (
            .country,
            """
            us: US, U.S., USA, America, American, EE UU, EE.UU, EEUU, Estados Unidos, Etats Unis, Vereinigte Staaten
            uk: UK, U.K., Britain, British, Großbritannien, Royaume Uni, Reino Unido
            de: Germany, German, Deutschland, Deutschlands, Allemagne, Alemania
            fr: France, French, Frankreich, Frankreichs, Francia
            it: Italy, Italian, Italien, Italiens, Italie, Italia
            es: Spain, Spanish, Spanien, Spaniens, Espagne, España
            pt: Portugal, Portuguese
            nl: Netherlands, Dutch, Niederlande, Niederlanden, Países Bajos, Pays Bas
            be: Belgium, Belgian, Belgien, Belgique, Bélgica
            lu: Luxembourg, Luxemburg
            ie: Ireland, Irish, Irland, Irlande, Irlanda
            at: Austria, Austrian, Österreich, Österreichs, Autriche
            ch: Switzerland, Swiss, Schweiz, Suisse, Suiza
            se: Sweden, Swedish, Schweden, Schwedens, Suède, Suecia
            no: Norway, Norwegian, Norwegen, Norwegens, Norvège, Noruega
            dk: Denmark, Danish, Dänemark, Dänemarks, Danemark, Dinamarca
            fi: Finland, Finnish, Finnland, Finnlands, Finlande, Finlandia
            is: Iceland, Icelandic, Islande, Islandia
            pl: Poland, Polish, Polen, Polens, Pologne, Polonia
            cz: Czech, Czechia, Czech Republic, Tschechien, Tschechiens, Tchéquie, Chequia
            sk: Slovakia, Slovak, Slowakei, Slovaquie, Eslovaquia
            si: Slovenia, Slovenian, Slowenien, Slovénie, Eslovenia
            hu: Hungary, Hungarian, Ungarn, Ungarns, Hongrie, Hungría
            ro: Romania, Romanian, Rumänien, Rumäniens, Roumanie, Rumania
            bg: Bulgaria, Bulgarian, Bulgarien, Bulgarie
            hr: Croatia, Croatian, Kroatien, Croatie, Croacia
            rs: Serbia, Serbian, Serbien, Serbie
            gr: Greece, Greek, Griechenland, Griechenlands, Grèce, Grecia
            ee: Estonia, Estonian, Estland, Estonie
            lv: Latvia, Latvian, Lettland, Lettonie, Letonia
            lt: Lithuania, Lithuanian, Litauen, Lituanie, Lituania
            ua: Ukraine, Ukrainian, Ucrania
            eurozone: euro zone, eurozone, euro area, Euroraum, Euro Raum, Eurozone, zone euro, zona euro, eurozona
            eu: EU, European Union
            jp: Japan, Japanese, Japans, Japon, Japón
            cn: China, Chinese, Chine, Chinas
            hk: Hong Kong
            tw: Taiwan, Taiwanese, Taiwans, Taïwan, Taiwán
            kr: South Korea, South Korean, Korea, Südkorea, Südkoreas, Corée du Sud, Corea del Sur
            in: India, Indian, Indien, Indiens, Inde
            pk: Pakistan, Pakistani, Pakistán
            bd: Bangladesh, Bangladeshi
            lk: Sri Lanka
            id: Indonesia, Indonesian, Indonesien, Indonésie
            my: Malaysia, Malaysian, Malaisie, Malasia
            sg: Singapore, Singapur, Singapour
            th: Thailand, Thai, Thaïlande, Tailandia
            ph: Philippines, Philippine, Philippinen, Filipinas
            vn: Vietnam, Vietnamese
            au: Australia, Australian, Australien, Australiens, Australie
            nz: New Zealand, Neuseeland, Nouvelle Zélande, Nueva Zelanda
            ca: Canada, Canadian, Kanada, Kanadas, Canadá
            mx: Mexico, Mexican, Mexiko, Mexikos, Mexique, México
            br: Brazil, Brazilian, Brasilien, Brasiliens, Brésil, Brasil
            ar: Argentina, Argentine, Argentinian, Argentinien, Argentiniens
            cl: Chile, Chilean, Chiles, Chili
            co: Colombia, Colombian, Kolumbien, Colombie
            pe: Peru, Peruvian, Perus, Pérou, Perú
            uy: Uruguay, Uruguayan
            ec: Ecuador, Ecuadorian
            ve: Venezuela, Venezuelan
            tr: Turkey, Turkish, Türkiye, Türkei, Turquie, Turquía
            ru: Russia, Russian, Russland, Russlands, Russie, Rusia
            kz: Kazakhstan, Kasachstan
            il: Israel, Israeli, Israels, Israël
            sa: Saudi Arabia, Saudi, Saudi Arabien, Arabie saoudite, Arabia Saudí
            ae: UAE, Emirates, United Arab Emirates
            qa: Qatar, Katar
            ir: Iran, Iranian
            iq: Iraq, Iraqi, Irak
            eg: Egypt, Egyptian, Ägypten, Ägyptens, Egypte, Egipto
            ma: Morocco, Moroccan, Marokko, Maroc, Marruecos
            ng: Nigeria, Nigerian
            gh: Ghana, Ghanaian
            ke: Kenya, Kenyan, Kenia
            et: Ethiopia, Ethiopian, Äthiopien
            za: South Africa, South African, Südafrika, Südafrikas, Afrique du Sud, Sudáfrica
            """
        ),
    ]
}
