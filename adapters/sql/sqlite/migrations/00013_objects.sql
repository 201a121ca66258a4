-- Reports name what they show in one map, by the stage that made it.

-- +goose Up
UPDATE reports SET body = CAST(json_set(json_remove(CAST(body AS TEXT), '$.stl', '$.glb', '$.thumbnail', '$.exports'),
    '$.objects', json((SELECT json_group_object(o.key, json(o.value)) FROM json_each(json_patch(json_object(
        'stl', CAST(body AS TEXT) -> '$.stl', 'glb', CAST(body AS TEXT) -> '$.glb',
        'thumbnail', CAST(body AS TEXT) -> '$.thumbnail'), coalesce(CAST(body AS TEXT) -> '$.exports', '{}'))) o
        WHERE coalesce(o.value ->> '$.key', '') <> ''))) AS BLOB);

-- +goose Down
UPDATE reports SET body = CAST(json_set(json_remove(CAST(body AS TEXT), '$.objects'),
    '$.stl', CAST(body AS TEXT) -> '$.objects.stl', '$.glb', CAST(body AS TEXT) -> '$.objects.glb',
    '$.thumbnail', CAST(body AS TEXT) -> '$.objects.thumbnail',
    '$.exports', json(json_remove(CAST(body AS TEXT) -> '$.objects', '$.stl', '$.glb', '$.thumbnail'))) AS BLOB);
