// The first character of each run of one script, and the script.
// Made by generate-tables.py from Scripts.txt of Unicode 15.0.0.

/// The first character of each run of one script, and the script.
enum ScriptTable {
  static let words: StaticString = """
    0 Zyyy 41 Latn 5B Zyyy 61 Latn 7B Zyyy AA Latn AB Zyyy BA Latn BB Zyyy C0 Latn D7 Zyyy D8 Latn F7 Zyyy F8 Latn \
    2B9 Zyyy 2E0 Latn 2E5 Zyyy 2EA Bopo 2EC Zyyy 300 Zinh 370 Grek 374 Zyyy 375 Grek 37E Zyyy 37F Grek 385 Zyyy \
    386 Grek 387 Zyyy 388 Grek 3E2 Copt 3F0 Grek 400 Cyrl 485 Zinh 487 Cyrl 531 Armn 591 Hebr 600 Arab 605 Zyyy \
    606 Arab 60C Zyyy 60D Arab 61B Zyyy 61C Arab 61F Zyyy 620 Arab 640 Zyyy 641 Arab 64B Zinh 656 Arab 670 Zinh \
    671 Arab 6DD Zyyy 6DE Arab 700 Syrc 750 Arab 780 Thaa 7C0 Nkoo 800 Samr 840 Mand 860 Syrc 870 Arab 8E2 Zyyy \
    8E3 Arab 900 Deva 951 Zinh 955 Deva 964 Zyyy 966 Deva 980 Beng A01 Guru A81 Gujr B01 Orya B82 Taml C00 Telu \
    C80 Knda D00 Mlym D81 Sinh E01 Thai E3F Zyyy E40 Thai E81 Laoo F00 Tibt FD5 Zyyy FD9 Tibt 1000 Mymr 10A0 Geor \
    10FB Zyyy 10FC Geor 1100 Hang 1200 Ethi 13A0 Cher 1400 Cans 1680 Ogam 16A0 Runr 16EB Zyyy 16EE Runr 1700 Tglg \
    1720 Hano 1735 Zyyy 1740 Buhd 1760 Tagb 1780 Khmr 1800 Mong 1802 Zyyy 1804 Mong 1805 Zyyy 1806 Mong 18B0 Cans \
    1900 Limb 1950 Tale 1980 Talu 19E0 Khmr 1A00 Bugi 1A20 Lana 1AB0 Zinh 1B00 Bali 1B80 Sund 1BC0 Batk 1C00 Lepc \
    1C50 Olck 1C80 Cyrl 1C90 Geor 1CC0 Sund 1CD0 Zinh 1CD3 Zyyy 1CD4 Zinh 1CE1 Zyyy 1CE2 Zinh 1CE9 Zyyy 1CED Zinh \
    1CEE Zyyy 1CF4 Zinh 1CF5 Zyyy 1CF8 Zinh 1CFA Zyyy 1D00 Latn 1D26 Grek 1D2B Cyrl 1D2C Latn 1D5D Grek 1D62 Latn \
    1D66 Grek 1D6B Latn 1D78 Cyrl 1D79 Latn 1DBF Grek 1DC0 Zinh 1E00 Latn 1F00 Grek 2000 Zyyy 200C Zinh 200E Zyyy \
    2071 Latn 2074 Zyyy 207F Latn 2080 Zyyy 2090 Latn 20A0 Zyyy 20D0 Zinh 2100 Zyyy 2126 Grek 2127 Zyyy 212A Latn \
    212C Zyyy 2132 Latn 2133 Zyyy 214E Latn 214F Zyyy 2160 Latn 2189 Zyyy 2800 Brai 2900 Zyyy 2C00 Glag 2C60 Latn \
    2C80 Copt 2D00 Geor 2D30 Tfng 2D80 Ethi 2DE0 Cyrl 2E00 Zyyy 2E80 Hani 2FF0 Zyyy 3005 Hani 3006 Zyyy 3007 Hani \
    3008 Zyyy 3021 Hani 302A Zinh 302E Hang 3030 Zyyy 3038 Hani 303C Zyyy 3041 Hira 3099 Zinh 309B Zyyy 309D Hira \
    30A0 Zyyy 30A1 Kana 30FB Zyyy 30FD Kana 3105 Bopo 3131 Hang 3190 Zyyy 31A0 Bopo 31C0 Zyyy 31F0 Kana 3200 Hang \
    3220 Zyyy 3260 Hang 327F Zyyy 32D0 Kana 32FF Zyyy 3300 Kana 3358 Zyyy 3400 Hani 4DC0 Zyyy 4E00 Hani A000 Yiii \
    A4D0 Lisu A500 Vaii A640 Cyrl A6A0 Bamu A700 Zyyy A722 Latn A788 Zyyy A78B Latn A800 Sylo A830 Zyyy A840 Phag \
    A880 Saur A8E0 Deva A900 Kali A92E Zyyy A92F Kali A930 Rjng A960 Hang A980 Java A9CF Zyyy A9D0 Java A9E0 Mymr \
    AA00 Cham AA60 Mymr AA80 Tavt AAE0 Mtei AB01 Ethi AB30 Latn AB5B Zyyy AB5C Latn AB65 Grek AB66 Latn AB6A Zyyy \
    AB70 Cher ABC0 Mtei AC00 Hang F900 Hani FB00 Latn FB13 Armn FB1D Hebr FB50 Arab FD3E Zyyy FD40 Arab FE00 Zinh \
    FE10 Zyyy FE20 Zinh FE2E Cyrl FE30 Zyyy FE70 Arab FEFF Zyyy FF21 Latn FF3B Zyyy FF41 Latn FF5B Zyyy FF66 Kana \
    FF70 Zyyy FF71 Kana FF9E Zyyy FFA0 Hang FFE0 Zyyy 10000 Linb 10100 Zyyy 10140 Grek 10190 Zyyy 101A0 Grek \
    101D0 Zyyy 101FD Zinh 10280 Lyci 102A0 Cari 102E0 Zinh 102E1 Zyyy 10300 Ital 10330 Goth 10350 Perm 10380 Ugar \
    103A0 Xpeo 10400 Dsrt 10450 Shaw 10480 Osma 104B0 Osge 10500 Elba 10530 Aghb 10570 Vith 10600 Lina 10780 Latn \
    10800 Cprt 10840 Armi 10860 Palm 10880 Nbat 108E0 Hatr 10900 Phnx 10920 Lydi 10980 Mero 109A0 Merc 10A00 Khar \
    10A60 Sarb 10A80 Narb 10AC0 Mani 10B00 Avst 10B40 Prti 10B60 Phli 10B80 Phlp 10C00 Orkh 10C80 Hung 10D00 Rohg \
    10E60 Arab 10E80 Yezi 10EFD Arab 10F00 Sogo 10F30 Sogd 10F70 Ougr 10FB0 Chrs 10FE0 Elym 11000 Brah 11080 Kthi \
    110D0 Sora 11100 Cakm 11150 Mahj 11180 Shrd 111E1 Sinh 11200 Khoj 11280 Mult 112B0 Sind 11300 Gran 1133B Zinh \
    1133C Gran 11400 Newa 11480 Tirh 11580 Sidd 11600 Modi 11660 Mong 11680 Takr 11700 Ahom 11800 Dogr 118A0 Wara \
    11900 Diak 119A0 Nand 11A00 Zanb 11A50 Soyo 11AB0 Cans 11AC0 Pauc 11B00 Deva 11C00 Bhks 11C70 Marc 11D00 Gonm \
    11D60 Gong 11EE0 Maka 11F00 Kawi 11FB0 Lisu 11FC0 Taml 12000 Xsux 12F90 Cpmn 13000 Egyp 14400 Hluw 16800 Bamu \
    16A40 Mroo 16A70 Tnsa 16AD0 Bass 16B00 Hmng 16E40 Medf 16F00 Plrd 16FE0 Tang 16FE1 Nshu 16FE2 Hani 16FE4 Kits \
    16FF0 Hani 17000 Tang 18B00 Kits 18D00 Tang 1AFF0 Kana 1B001 Hira 1B120 Kana 1B132 Hira 1B155 Kana 1B170 Nshu \
    1BC00 Dupl 1BCA0 Zyyy 1CF00 Zinh 1CF50 Zyyy 1D167 Zinh 1D16A Zyyy 1D17B Zinh 1D183 Zyyy 1D185 Zinh 1D18C Zyyy \
    1D1AA Zinh 1D1AE Zyyy 1D200 Grek 1D2C0 Zyyy 1D800 Sgnw 1DF00 Latn 1E000 Glag 1E030 Cyrl 1E100 Hmnp 1E290 Toto \
    1E2C0 Wcho 1E4D0 Nagm 1E7E0 Ethi 1E800 Mend 1E900 Adlm 1EC71 Zyyy 1EE00 Arab 1F000 Zyyy 1F200 Hira 1F201 Zyyy \
    20000 Hani E0001 Zyyy E0100 Zinh
    """
}
