// Made from Console/Web/console.html: REGENERATE_WEB=1 swift test --skip-build --filter WebFileTests

extension WebFile {
    static let consolePage = WebFile(
        name: "console.html",
        content: """
            H4sIAAAAAAACA61Yy47bNhTd5ytYdTu2kwABupAVBIO0nTYIgswUXdPStcWaElWS8sRZ9Wv6C933U_olPXzoac940gYYDCXqkrz33HMfdP\
            pNoXJ7bIiVtpLZs9QNTPJ6t06oTtwE8QJDRZazvOTakF0nrd0uvku66ZpXtE4Ogu4bpW3CclVbqiF2Lwpbrgs6iJwW_uWKiVpYweXC5FzS\
            -oXbxAorKbtWtVGS2N9_Mav2VC8arQ6iIJ2ugsCzVIp6zzTJdSJwRsJKTdt1wg10Mis3tTSHXTIRNPYoyZREdibuPyxzY5y8ybVoLHNArJ\
            NKFa2khBmd99J5UG75G8TTVRDHulVEZ6OKIwYgJLEAp-5F0533bcUFkLzFFAzrwElXPIJLulu14RrKMJYW4tDNbTXA9bPT-dpPp6LaTfTs\
            QWBcwgFxIZaWL7Ipqiw1Da97hSsuJfu9FQ4nUcCbpI0Axs5ayGHADkGLFdSIjzU_MK4FX0i-cWjfUm6xygzntrJ7xIsUGTCKsBjLbQvJWz\
            86PNIVBB6QdtSzkL724yVp_G8Nl5D_GJ8uraBPjfR-ehseLsmL2jQwNsluwsNF_VW9FbtWc-tRvR6_ztemqw61dAWET50vxcE53zvQOSu-\
            R09tWmtVHckcXpLez1JUwcENbw0WfXBDugpiWe_b-BAITtpFOkCZktJv48nNLN-IuqBP62TxIlDYBCaM2CGp2BxdQAa3B6PKl92ebW0IGc\
            dvOqdG-fIUg5zrgpm2qrg-xlXxJUubTigQOnuneCHq3T9__JmummxM4Fb2-5WU703YKT5nnSOAbDDncdMs6cosfLLq7QvwOTvdxhMJME1o\
            MqymT3awEYvm6l-TtmIrcm7JXLE9HQ3jdcGkMNYwKKJqYlZUhKxHSzbQIpxWKzsiB-yPzOo8ew5YyA_I-G2SYUd8lKLPWagV-ynCjvcOuB\
            GZngRfF-Jnkes-vuPGshevWCXqFnA8itsHJWrLOP585bJXTGm2VXlrmLAeQnCf2ZKgi1b3HtnlExDaaVHEIJLKep58maVDejpr6_D5nXO5\
            ZbpPYo9Yewc7pEPn1XPYBKudYVKhPpTq3niSbI5uWLKbwuCL2jNunNSRFQp1uVuwfCJJGMqgkjIZdKZinAqeJwzfyX3buaQ3qRR3fINar7\
            ZshsXYsDPcamY16Czgp-qWXB5odMRW6WpqiuX5PlgSK8HCySSnvusLxZDoZ-6blxLQr6BcGJ_pBweedeKvqpUFHCEMQ38kUaZ3FDzpq_eV\
            Zy3ceF-KvGQafcpr9l6FjwyLKmgy-O_Uh8F6QbJAuzDRRNKO6iK79qciiMPrWGLs_lKhpeuypV9ikrGw29CBhg6lbtqus9JwpEpivxiWJe\
            zAZYtXbwLqlEu9VGTszpuEgH3z4cZFJlTyG_6vQ0LXxN5jcNxDnvyquyO43O5o8jQVaPKEj9mTnUcFKLyeOsSDPYC7COhkQSPkMN0Bll0_\
            flRPsBK5MCZx3wf69-wWS11X6hlXcKp8OZHHJazAXL1zpEJO2FExpRW2tqhbXBMfNo3hUpBrkDexKA6nMd5alauqkWQBl9pu0WQ3iCzvdL\
            QVsMGXqm7nbI7UDBXvTlaKAghMsIFHw8ds5l-kCIkk4TcZhFwWcdNnz-t6Hu-jZB4R02OR-ZLsZ_x37PKWnz3Yiz106MjMrdDGTr3upxao\
            P9lNcZ60ga39cif7ZOAfUgSJVUHnc1CHT16jO272qLGNy8FcXtJuWPjf1HvEVyjmSd8Hx7lq2t3PG96ZwTGHu4IWaljXkk4WIHJRJJ5UVe\
            J94aGq0l8nHqwq8wsHqkok2KWSUqJc-LLyvcQ1mL2tdzAs1F1CI_Sauc4hxn7ofLv2CIGP9jQkgotVZR4MDXoRcqwYh8GF1BTWxNz0Zqh5\
            7E1rS6XFZ39fYuHsK9fXtRp9qkLj72JOO1Fem3vSj2erqNuZdDXW4Ovkq4uc7G-QHSfPXuB82pPkfiK4dsNFCkfCfAGFv7hhn95pH2gSfQ\
            wMv0PM2vpHr8Vg9pxoadHfS7Y8t10LEteRz6uFHKQfcMAptpok-kz3g4Ebe3QHXMc_l8TQ-gjVfAfNtkLiJsd3cOiV66pvb3748ZcP6KvJ\
            LNmbLe5N4OWIjoQLh_YrG00HoXAlmUDhYPOXkXhrG3usc3DQ-JJ_O-l7LizCePL5nMPTlWMlxubszZyLM-ch0tJaxV_FTvr3O9dbNHxHuO\
            kS8PqJH_itl1361GNcNxbcBwg1uRvbCtFUHD_7LLSqyGqRh6tZuuoPgqrxd7dV-PHyX8bij6TNFAAA
            """)
}
