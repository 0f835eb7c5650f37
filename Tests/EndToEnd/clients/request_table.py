"""The requests of http_client_requests.py: valid ones with the check of their answer, refused ones with their status."""
from answer_checks import health, token

SLASH, LONG, DECOMPOSED = "a%2Fb", "x" * 65, "e%CC%81"

# method, path, check
GOOD = [
    (method, path, check)
    for method in ("GET", "HEAD")
    for path, check in [
        ("/token?tripID=trip-1", token("tripid", "trip-1")),
        ("/token?tripId=trip-1", token("tripid", "trip-1")),
        ("/token?tripid=trip-1", token("tripid", "trip-1")),
        ("/token?trip_id=trip-1", token("tripid", "trip-1")),
        ("/token?vehicleID=car-1", token("vehicleid", "car-1")),
        ("/token?vehicleId=car-1", token("vehicleid", "car-1")),
        ("/token?vehicleid=car-1", token("vehicleid", "car-1")),
        ("/token?vehicle_id=car-1", token("vehicleid", "car-1")),
        ("/token?tripID=a+b", token("tripid", "a+b")),
        ("/token?tripID=a%20b", token("tripid", "a b")),
        ("/token?tripID=%C3%A9%F0%9F%9A%95", token("tripid", "\u00e9\U0001f695")),
        (f"/token?tripID={'x' * 64}", token("tripid", "x" * 64)),
        ("/token?tripID=trip-1&expiration=absolute", token("tripid", "trip-1")),
        ("/token?tripID=trip-1&expiration=relative", token("tripid", "trip-1", relative=True)),
        ("/token?expiration=relative&vehicleID=car-1", token("vehicleid", "car-1", relative=True)),
        ("/healthz", health),
    ]
]

# method, path, status, words that the detail must hold
REFUSED = [
    ("GET", "/token", 400, []),
    ("HEAD", "/token", 400, []),
    ("GET", "/token?", 400, []),
    ("GET", "/token?tripID", 400, []),
    ("GET", "/token?tripID=", 400, []),
    ("GET", "/token?tripID=a&tripID=a", 400, []),
    ("GET", "/token?tripID=a&tripId=b", 400, []),
    ("GET", "/token?tripID=a&vehicleID=b", 400, []),
    ("GET", "/token?tripID=a&expiration=relative&expiration=relative", 400, []),
    ("GET", "/token?tripID=a&expiration=soon", 400, []),
    ("GET", "/token?tripID=a&colour=red", 400, ["colour"]),
    ("GET", "/token?tripID=*", 400, []),
    ("GET", "/token?tripID=%2A", 400, []),
    ("GET", "/token?vehicleID=%2a", 400, []),
    ("GET", f"/token?tripID={SLASH}", 400, []),
    ("GET", f"/token?tripID={LONG}", 400, []),
    ("GET", f"/token?tripID={DECOMPOSED}", 400, []),
    ("GET", "/token?tripID=.", 400, []),
    ("GET", "/token?tripID=..", 400, []),
    ("GET", "/token?tripID=a%00b", 400, []),
    ("GET", "/token?tripID=a%0D%0Ab", 400, []),
    ("GET", "/token?tripID=%20a", 400, []),
    ("GET", "/token?tripID=a%C2%A0", 400, []),
    ("GET", "/token?tripID=%ED%A0%80", 400, []),
    ("GET", "/token?tripID=%C0%AF", 400, []),
    ("GET", "/token?tripID=%FF", 400, []),
    ("GET", "/token?tripID=%", 400, []),
    ("GET", "/token?tripID=%4", 400, []),
    ("GET", "/token?tripID=%zz", 400, []),
    ("GET", "/", 404, []),
    ("GET", "/tokens?tripID=a", 404, []),
    ("HEAD", "/unknown", 404, []),
    ("POST", "/token?tripID=a", 405, []),
    ("PUT", "/token?tripID=a", 405, []),
    ("DELETE", "/token?tripID=a", 405, []),
    ("POST", "/healthz", 405, []),
    ("TRACE", "/token?tripID=a", 405, []),
    ("BREW", "/token?tripID=a", 501, []),
]
