/* The part of PKCS #11 version 2.40 (OASIS: pkcs11t.h, pkcs11f.h) that finds a private key on a token and signs with it.
   A module is loaded when it is needed; there is nothing to link. */
#pragma once

typedef unsigned char CK_BYTE;
typedef unsigned long CK_ULONG;
typedef CK_ULONG CK_RV;
typedef CK_ULONG CK_FLAGS;
typedef CK_ULONG CK_SLOT_ID;
typedef CK_ULONG CK_SESSION_HANDLE;
typedef CK_ULONG CK_OBJECT_HANDLE;

typedef struct {
    CK_BYTE major, minor;
} CK_VERSION;

/* Texts are padded with blanks. */
typedef struct {
    CK_BYTE label[32], manufacturerID[32], model[16], serialNumber[16];
    CK_FLAGS flags;
    CK_ULONG counts[10];
    CK_VERSION hardwareVersion, firmwareVersion;
    CK_BYTE utcTime[16];
} CK_TOKEN_INFO;

typedef struct {
    CK_ULONG type;
    void *value;
    CK_ULONG length;
} CK_ATTRIBUTE;

typedef struct {
    CK_ULONG type;
    void *parameter;
    CK_ULONG length;
} CK_MECHANISM;

typedef struct {
    void *mutexFunctions[4];
    CK_FLAGS flags;
    void *reserved;
} CK_C_INITIALIZE_ARGS;

/* The module's functions, in the standard's order; those that are not used have no type. */
typedef struct {
    CK_VERSION version;
    CK_RV (*C_Initialize)(CK_C_INITIALIZE_ARGS *arguments);
    CK_RV (*C_Finalize)(void *reserved);
    void *infoAndList[2];
    CK_RV (*C_GetSlotList)(CK_BYTE withToken, CK_SLOT_ID *slots, CK_ULONG *count);
    void *slotInfo;
    CK_RV (*C_GetTokenInfo)(CK_SLOT_ID slot, CK_TOKEN_INFO *info);
    void *mechanismsAndSetUp[5];
    CK_RV (*C_OpenSession)(CK_SLOT_ID slot, CK_FLAGS flags, void *context, void *notify, CK_SESSION_HANDLE *session);
    CK_RV (*C_CloseSession)(CK_SESSION_HANDLE session);
    void *otherSessions[4];
    CK_RV (*C_Login)(CK_SESSION_HANDLE session, CK_ULONG user, const CK_BYTE *pin, CK_ULONG length);
    void *logoutAndObjects[5];
    CK_RV (*C_GetAttributeValue)(CK_SESSION_HANDLE session, CK_OBJECT_HANDLE object, CK_ATTRIBUTE *values,
                                 CK_ULONG count);
    void *setAttributes;
    CK_RV (*C_FindObjectsInit)(CK_SESSION_HANDLE session, CK_ATTRIBUTE *pattern, CK_ULONG count);
    CK_RV (*C_FindObjects)(CK_SESSION_HANDLE session, CK_OBJECT_HANDLE *objects, CK_ULONG most, CK_ULONG *count);
    CK_RV (*C_FindObjectsFinal)(CK_SESSION_HANDLE session);
    void *encryptionAndDigests[13];
    CK_RV (*C_SignInit)(CK_SESSION_HANDLE session, CK_MECHANISM *mechanism, CK_OBJECT_HANDLE key);
    CK_RV (*C_Sign)(CK_SESSION_HANDLE session, const CK_BYTE *data, CK_ULONG length, CK_BYTE *signature,
                    CK_ULONG *signatureLength);
} CK_FUNCTION_LIST;

/* The one symbol of a module that is looked up by its name. */
typedef CK_RV (*CK_C_GetFunctionList)(CK_FUNCTION_LIST **functions);

#define CKF_OS_LOCKING_OK 0x2UL
#define CKF_SERIAL_SESSION 0x4UL
#define CKF_LOGIN_REQUIRED 0x4UL
#define CKF_TOKEN_INITIALIZED 0x400UL
#define CKF_USER_PIN_COUNT_LOW 0x10000UL
#define CKF_USER_PIN_FINAL_TRY 0x20000UL
#define CKF_USER_PIN_LOCKED 0x40000UL

#define CKU_USER 1UL

#define CKO_PUBLIC_KEY 2UL
#define CKO_PRIVATE_KEY 3UL
#define CKK_RSA 0UL
#define CKK_EC 3UL

#define CK_TRUE 1
#define CKA_CLASS 0x0UL
#define CKA_TOKEN 0x1UL
#define CKA_LABEL 0x3UL
#define CKA_KEY_TYPE 0x100UL
#define CKA_ID 0x102UL
#define CKA_MODULUS 0x120UL
#define CKA_PUBLIC_EXPONENT 0x122UL
#define CKA_ALWAYS_AUTHENTICATE 0x202UL

#define CKM_RSA_PKCS 0x1UL

#define CKR_OK 0x0UL
#define CKR_PIN_INCORRECT 0xA0UL
#define CKR_USER_ALREADY_LOGGED_IN 0x100UL
#define CKR_CRYPTOKI_ALREADY_INITIALIZED 0x191UL
