-- Cycles over warmed ids with a pause before each request, so that the server is not saturated: a time at full load is that of
-- the queue before it. Arguments: the number of ids, and the milliseconds of a pause.
local count, pause
local following = 0

function init(arguments)
  count, pause = tonumber(arguments[1]), tonumber(arguments[2])
end

function delay()
  return pause
end

function request()
  following = (following + 1) % count
  return wrk.format("GET", string.format("/token?tripID=cached-%04d", following))
end
