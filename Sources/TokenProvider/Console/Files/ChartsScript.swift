// Made from Console/Web/charts.js: REGENERATE_WEB=1 swift test --skip-build --filter WebFileTests

extension WebFile {
    static let chartsScript = WebFile(
        name: "charts.js",
        content: """
            H4sIAAAAAAACA5VZW2_b2BF-96-YMMYu6VC05NjbRI5i5LpZwNkskrQoKggQJR1ZTChSJSlbqlZAH_vc_sP9JZ3LIXkOJSVeP1jkuczMmc\
            s3M4enp3AdJQrGszArcogS-PS3n7tQzNQa8nBND1EGyyQqfAiTCYRwG8ZLhSMTldEsLNIoKfA5zWDE6yHMsvQOvqp1HhwdRfNFmhWwgXGc\
            jr_6ME7ni3CM1CZZeOfDPPyqYAvTLJ2DE5wuwhsVfMmdy6OjcZrkBbx-8endm0_Qg77j-OD8BOf0cyY_nTY8hjN4zM9w4Qwu9a7rN28_45\
            6LM_8I4OMvP7-jtyf08vnDb-Xjyw-fP394j29nbWR3enICn1H4OMxuFJKQY6ZTOdEqyvH8BcQqxLnhNE7TbNiFjo_s8eAXUERzlaN2Fukd\
            6QK3qcSnKXPoLg3g5PRoukzGRZQmMFZRHCU3LvPygan6MApz5cEGJZTDCM8evA-LWTAPV9Zy77JaJ3x6vB_wNLyeF7n8GKc3LtPy4BSqEe\
            bGVDJVLLME-nQoHy586LQHyG_hunmhFh70ngM9wIlw8oJplEyak897Wt4TaAdPnz714OpKRi6PtkdHasXeMI7DPIdX5HN80IfsRDmZeUCi\
            PMxVFinjfbzM8pQOlyzjmEfukDl6Ga5odS6Q209t_POhLevjaB4V1XIcIfMOp2k2D4shO11euvKPOdpqVVyWVoUoZ5vLMYp0YTvBEEeGuH\
            cardQE0kSxSbUNsuW4QHUv4nCMBtqgVxQxPujwGaVL_BEhULYqEpgvDnTE9vSEJyHOcgDYijsAfBh9UeMiQOVFN4lbzEigBhchbzmT0Nqy\
            kQFoV7CIUxKBFOE6k-gWI0g4gNimCw4tcXw9WIQj1LdadaFdDmVprHBZHkeIBNVCJ8yisBWHIxU7XRgeb1i4rQ_HG5JvG8CLCh1gnt4qgh\
            wKnmBok2DbzKPEMViaM-HqwEyS3h2YITPjlJOkMAmLENaqPqBGMZKoC666VUnBTs3aEvfUo40d6ITJn9uBjsVMjNXE1iVTV2tH8TL73hrU\
            4QHuOGPxtmwfqxuFSF5afxmT8Suzy6xjbyEDVRvyRZhYW_J5iE76z2WkCvTX-UhlOe73SdF3jibDIRGEiwUSd4XONLpZZsqiNA6ziaQiIq\
            CPKatnKmQ_g83WL4ceO5X7dyW8iK0OhwPCipgsssEDYFh66NDz_PrUlbKrsPFNLXr6eIm6g48qj_6lPowQu25V5pq2yxSlS9fzglSm3Yoc\
            E9hWECVAiACTKRhuSAJfYCrfDilU0gwJ-VUaXiDia6xECGG0K1NRxqE1j-I4yhWi0yTXSLVcoPcrVzj5ersPAqg-mNBZ4o4kmCi_lkwkhy\
            oxuadR6vff7YnnPTMWSGPJTTGDFnREZ9EU3AdC06vRhzlpfzO3903agys2zqW1iQEKd2l2lJ1-oSFXjsrm4CdxZxKPDHxpGrhONELtGbTh\
            So7XlSFZvgUVI1LTEax9D3q24nbIHtDFlv_3zQNrP3tY2kfeSivJG9tqQEnwm9YcGKFc-WLldxZWabnZNnus5-kq4dJwi1G6Km1FDh3cqO\
            JlivUhVjav4giJfsSc5XrmlnxG7tnTwBWMednfUR1ICzlNC3ykGo4qFZfG7qIJq4sLu5aUdBZFy2Pk8P32AB5pVielnfRUZ4BUGos1vRjh\
            YaTYz9um3kq3SrM34XimncoXp2DfKi1OuuPyKhzlruFwLfE39Klq1nJwYjqwlnqlIKbnmbgsSYEWGeaswd-K3tiM3QNuKCu5GG9EOVVxXM\
            QZRsR6j0q0jaT0azRbV_a2qJThwdecnxqDH6ObWbn0UTX614UxpFX5G7YD5jjWpTRkU8XBd-lcUc6HN8mkKyfd1iAjToZqYaxy3uTjcKGc\
            0pV30quBTsZWxFI-sEc4xxwQG-xwkMWLjH9fq2m4jCu_N5hIHR8lLlHx67IexWcO_YrpwPMMu_JmMYcZpgYMmxazRWugkDx8GxXKEcuJ_l\
            Ssk3R18D6Dzj706POsD9hnolcwllV7fMYDPWNukozY9OZpHBbvqV9p4r0sp4YlxvrL_ZVrlCDK30aY8JWFI_PU7rXQKEFQErAhLL3Lr3Wu\
            NNC4SgHwww_W-LOeED-Bcwu4uMyXegMfMc7KrtDgcFULRDQs-PcwMxmDuu7nZ-7tTGZkPFdQCJXDYPpIBvbAIWHv90GToNVGZx27uxi9Ju\
            6sSmZPrThy7-DGKiR0a4uaIPb8g_TFA3AdbWnpxt22xu0NEqcrBSz5bm-44ruN1N3LFFuWYRuz-PGGpdzig5DbDn3dHMyiyURRo-FgA6ca\
            pe_DcKVyF2n6sPJhzbJRejWc1nD32mYeyVQWvCIYWtUud9l-OLLqdFl3-HTWhVKbrEBkiZNr1zR4iY7rs-YMim7JLtVAnbOSkOrJOmWVex\
            NlnlDmd7w9-VZFRo57ILUMbPUkdWDsFE0aJcPsq8jD60uxdpQtUVlyIgBs79E6d32kdfQEV7u8pWLyNMwha1ZmuuCbi79ceLjs3G_0xGq-\
            KNZ020REW2EynqUZ-c0cPShW0vT8anSXXrPnDjLFndCrWRRPEGHpmLbFwrVoyUDie3igBmk0NCYEo8RKp9CnW5GArnMGzTKbRSnRLiMcd0\
            sV8HaPlIB7yxL5-x6dLWN1H4fWNyTkwSLE1qtbsV276bLvCVtJNpB1duwgnWuJhHwTYp4HJzDAvdIq26bOEIGWBbVSqLUOX4DxPVj7oOJW\
            ewCyJKKvpLyDyjMPWOqjCxXW7R6vpMyejjlBjmuPdy7gqlIk33_kBbfTlpdWK3ZIUsuOa4d__Oe_xxs9u62eKhbg0Fam6lDHXCtUXHY_pF\
            ilRLZM-IJPy9If8IMGC8MojCdyB1fDS9Mg0g33rHzfZ6aDS6Msf9BI_TobeSxMsFjmM7c_qCzGLR7PoBu1Op4sGB5vVkZZ72Hafkt3gW7H\
            o-Sy1jTN4eEhh0PidDLmoYsTF18Ym_G3hLbnCGw7LhgS5sHw_fGGVn5BgVzn2vG28m6AYofMNQs6pbVMheiema2PsGzx7NQsq2JtGmVUaV\
            DlyqUabsAiIMgXcVS4DjgevvlMRqvMmqlssSca6DwWlGC80i1rHLc6OD7hy0RatL0-3hB_UXbbo3cWqxr4x7DOg6XS78FxSE6rG-jW8UZU\
            g00HFQrInpb7FE5Z-lW1JiEhShauMS7lG4V2t5p1HQ11QtNNo5XQrKiokcVwMaH3ffSVfKrxV0PK6qxGFxzFCkpgt8IZ_RmkEtsMobpy0I\
            XZ_m73UFTtSDyOsnFsyTycpIVYuaHxcYWKtQ9yihbi6GRdODeUbeRLyqG6BTBVS2Ba9wy6NOLvG82yqC8DgjwYFs3z7UEZD6T-0cKWyWfv\
            SrTUH__-n6WF_V53D2cT0DSKon2tiCdn1wDnXOuy08qSZn25U6LCdoeF3H8GY13IlLBBLIWZHqBbQX7PsUd3XVbtYKcGbVDTx6ssX090Bg\
            GRe5UmBXabcsKQr0qsCzdNr1ltYSsnwrDZtZnpkixRAxZGLo3jSO6ZGxXJTmPhUGNxdg5PnIOthA8NsEERiB1DivO-Defvzs6p5TDqnwM3\
            1_JRhUjyiQ_ecEsurC_ivUbBIxqoIrvv84hlk823rFK_n9nG6OkPaTufDhqrqrja2wVgIPGnYhMAoSuVyeXufZbZqR9oQHaK8FwVL4oii0\
            ZY07iNj0qS3O69haTy916V3ZuErgNFK2XxhsluRwvbLma4Xf9l67HZcBMNbfUyrDt0XYDuiVUINL59acjcHv0fmKx2LAUgAAA
            """)
}
