-- What may leak, in one stream: mostly warmed ids; of every 1,000 requests five new ids, five refusals, two unknown
-- paths, and one that closes its connection.
-- Arguments: the number of warmed ids, and a prefix that no other round uses.
local cached = {}
local warmed = 0
local prefix = ""
local refusal, unknown, closing
local count = 0

function init(arguments)
  warmed = tonumber(arguments[1])
  prefix = "/token?vehicleID=" .. arguments[2] .. "-"
  for index = 0, warmed - 1 do
    cached[index] = wrk.format("GET", string.format("/token?tripID=cached-%04d", index))
  end
  refusal = wrk.format("GET", "/token?tripID=a%2Fb")
  unknown = wrk.format("GET", "/unknown")
  closing = wrk.format("GET", "/token?tripID=cached-0000", { Connection = "close" })
end

function request()
  count = count + 1
  local slot = count % 1000
  if slot % 200 == 1 then return wrk.format("GET", prefix .. count) end
  if slot % 200 == 2 then return refusal end
  if slot % 500 == 3 then return unknown end
  if slot == 4 then return closing end
  return cached[count % warmed]
end
