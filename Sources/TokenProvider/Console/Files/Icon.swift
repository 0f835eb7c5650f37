// Made from Console/Web/icon.svg: REGENERATE_WEB=1 swift test --skip-build --filter WebFileTests

extension WebFile {
    static let icon = WebFile(
        name: "icon.svg",
        content: """
            H4sIAAAAAAACA0WP3QrCMAyF732KEK-X_q3FyTrQa30B74Zu62D-MMvq45sqKOkh5XD4ktTPZYDXdbo9PYYYH1shUkqUDN3nQWgppeAEwj\
            J2aX9_eZQgQZf8sKnn7hwhjZcYPLIBoRuHEL__mbMOoR-nyeNal9adKxRN_WhjgIvHYwWObGvIQpYElcFUsivtQRlQJemgaLOwuFfcXeDA\
            UmiyU2HJsPTuD8j1gZ6uBTlmmVaRgqxM__I1_L3PTKbp02_Pvu_zkvnmZvUGuWGGnhwBAAA
            """)
}
