// Made from Console/Web/playground.html: REGENERATE_WEB=1 swift test --skip-build --filter WebFileTests

extension WebFile {
    static let playgroundPage = WebFile(
        name: "playground.html",
        content: """
            H4sIAAAAAAACA61XzY7bNhC-5ymm7CGXtWW7LbpYyCqKNinSXopmgaBHWhxLrClSISk7frLe-2QdkpIsrRdutkgWiFaj-f3md_OvhCn9uU\
            WofaOKV3l4gOK62jLULBCQC3o06DmUNbcO_ZZ1fr-4ZwNZ8wa37Cjx1BrrGZRGe9TEdpLC11uBR1niIr7cgdTSS64WruQKt-ugxEuvsPhd\
            8XNlTacF_PM3eHNAvWitOUqBNs8Sz6tcSX0Ai2rLJJlhUFvcbxl35JbLAmnpjhWbMTp_VuhqRP-EPX5Yls4Fflda2XoIWGxZY0SnkIGz5c\
            jdjv4t_yKJPEsSJJr1GO2MONODcFIkQ4YPsh1Mft1wSXi-JxLFNkCUZ7yHGO0gteOW_AHIhTwOtL0liCN1TteRnMummrk64gBcURp6QRKt\
            18UcWMhdy_XocMOVgo-dJKiKS7wUKjFRxCSeXMjIh-hj-iUhgDYUBIU59xqkIEBD9OD5TmqBn7Zssb6KUZGKIcR6U3youQdyjbctVBTUHT\
            iPLezO8UkWNz1vOyjo_X6spQOBjQEnK-1SJTk4SV8DhwOeoSFfqQ6hISZ7voO9sdFSWVK0VALBsjDoQBsP-Ek6v4S3iuqnhxHgja6kRiqv\
            feeIz9fYLOHNEe3Z11JXgMohnIw9OOAumCK8RVd6afQdmRJBc2SkoI9RAfnc8JJouMyzdoLtHKSQlAEkcrsZ6CW3goDh5SHhHb5R9q3kC8\
            V3oQv-wI8dOn-phaA9jx8DAFt2oNSw4jf6H8w-oZZn8XuRO1RY-qg5sVFJRFJxgZ9892xkWcTXIsQyBvKs2b20zi-k6P2Ob_EzK96JwYER\
            -FzqtvMT1iDIO29K07QKPfWu2e-pcVtUqqyxPBAjp2wwOHLV0WdPTUvVR2h_Uqgrmk9ss1qt2LWb0YpD6iWyUUshUM88T5-CB8Ujd4dbvl\
            5YX-gs6f08Z-eYUvY5of82Pp_L4sBxM4-J6VYmBxlrTsSx67w3Y_enlg96KAhW_ILUzkNZJc6pvjwL1q4n3KSmQ9-7S_0SpqGfph0wrXiF\
            Yncmz1LZL-L-YJPkzGxgS-7Xm2jmicR6CY91aPVIjXNnBkOYQBYHVZU8Yh91LzGdejFxxD3GkPVBvDAort0J7QtimgtsUkiJmCKKWyCBzH\
            2X1lua-fNQh7ZIsgysoSV-ERqLaEcnBCX9p9oYmoQ0dsNYCYOvupTB8rqk_iceaael6KJ7iRAxGDr3M1Caqim-SSD1BTvHiPYKBWzxJkzX\
            BRx1sS8TMq0eS0fNNOiB9NKw56qKb4eCj9TLou3V9E2e7qT0wka9SjZ9y1fx3PnRHSD-Orb8VNV_gTZjHksrLmny3nlraIMOl1DX7NC6ZD\
            2yCHPSbKIh_Evl6mVDtRtyF1UUsxsoXRFzNQta19NktzPPxp4IgS4ItE75q854EuuXKIHSCHzBDJiyf7eEP01HJyfRnh1pQUsPFt8pGcbY\
            LfupvPnumUhnmgg-WuwXd_r3-YR8fpwG_mF83oLv-jYNi4ieYwF12uGg1fGwk5_mivKba9Pf91dDLR6YLa8QNKJw8Cs_8veRdwkf6Mo0Ye\
            n7Byg7q-B17X37kGXrzffLFf2sH-5X96ssjoIfwi3y7udtOklej3ffaJqc7_-myNKfZ_8CEty9Yq8NAAA
            """)
}
