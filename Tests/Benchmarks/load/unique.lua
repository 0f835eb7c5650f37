-- Every request has an id that was never requested before.
-- Argument: a prefix that no other round uses.
local prefix = ""
local count = 0

function init(arguments)
  prefix = "/token?tripID=" .. arguments[1] .. "-"
end

function request()
  count = count + 1
  return wrk.format("GET", prefix .. count)
end
